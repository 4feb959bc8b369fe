import { loadConfig } from "../../shared/config/config.ts";
import { messageOf } from "../../shared/local/checks/check.ts";
import { startContext } from "../../shared/start-context.ts";
import { findAdmin } from "./accounts.ts";
import { importWorld } from "./import-world.ts";

// Imports what the demo's shard knows of its world, and writes as JSON what was imported now.

try {
  process.stdout.write(`${JSON.stringify(await importNow())}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function importNow(): Promise<readonly string[]> {
  const { context, parts } = await startContext(loadConfig(), "demo");
  try {
    return await importWorld(await findAdmin(context), context);
  } finally {
    for (const part of parts.toReversed()) await part.stop();
  }
}
