import { reasonOf } from "../../jobs/commands/checks/check.ts";
import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { findAdmin } from "./accounts.ts";
import { ensureAppeal } from "./appeal.ts";
import { importWorld } from "./import-world.ts";

// Ensures an appeal to decide, imports the demo shard's world, and prints the new imports as JSON.

try {
  process.stdout.write(`${JSON.stringify(await importNow())}\n`);
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
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
