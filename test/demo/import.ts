import { errorReasonOf } from "../../jobs/commands/checks/check.ts";
import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { findAdmin } from "./accounts.ts";
import { ensureAppeal } from "./appeal.ts";
import { importWorld } from "./import-world.ts";

// Prepares an appeal, imports the world of the demo's shard and prints the names of the imports it
// made as JSON.

try {
  process.stdout.write(`${JSON.stringify(await importNow())}\n`);
} catch (error) {
  process.stderr.write(`${errorReasonOf(error)}\n`);
  process.exitCode = 1;
}

async function importNow(): Promise<readonly string[]> {
  const { context, parts } = await startContext(loadConfig(), "demo");
  try {
    const admin = await findAdmin(context);
    await ensureAppeal(admin, context);
    return await importWorld(admin, context);
  } finally {
    for (const part of parts.toReversed()) await part.stop();
  }
}
