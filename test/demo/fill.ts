import { parseArgs } from "node:util";

import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { ensureAccounts, findAdmin } from "./accounts.ts";
import { ensureContent } from "./content.ts";
import { linkProvider } from "./provider.ts";
import { keepReceiver } from "./receiver-kept.ts";
import { linkShard } from "./shard.ts";
import { type DemoServer, linkSurvivalServers } from "./survival-servers.ts";

// Creates the demo's content and prints its accounts as JSON. Can be repeated.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { "base-url": text, "ws-url": text, issuer: text } });
const link = {
  baseUrl: values["base-url"],
  wsUrl: values["ws-url"],
  token: process.env["DEMO_SHARD_TOKEN"] ?? "",
};

const { context, parts } = await startContext(loadConfig(), "demo");
try {
  keepReceiver(context.config.DATA_FOLDER);
  const accounts = await ensureAccounts(context);
  const admin = await findAdmin(context);
  await linkShard(link, admin, context);
  const servers = process.env["DEMO_SURVIVAL_SERVERS"] ?? "[]";
  await linkSurvivalServers(JSON.parse(servers) as DemoServer[], admin, context);
  await ensureContent(admin, context);
  const clientSecret = process.env["DEMO_PROVIDER_SECRET"] ?? "";
  await linkProvider({ issuer: values.issuer, clientSecret }, accounts, admin, context);
  process.stdout.write(`${JSON.stringify(accounts)}\n`);
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  for (const part of parts.toReversed()) await part.stop();
}
