import { parseArgs } from "node:util";

import type { Caller } from "../../shared/auth/caller.ts";
import { loadConfig } from "../../shared/config/config.ts";
import type { DemoAccount } from "../../shared/local/demo.ts";
import { LaunchFault } from "../../shared/local/launch-fault.ts";
import { startContext } from "../../shared/start-context.ts";
import { ensureAccounts } from "./accounts.ts";
import { linkShard } from "./shard.ts";

// Makes what the demo shows, and writes its accounts as JSON. Run twice, it does the same as once.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { "base-url": text, "ws-url": text } });
const link = {
  baseUrl: values["base-url"],
  wsUrl: values["ws-url"],
  token: process.env["DEMO_SHARD_TOKEN"] ?? "",
};

const { context, parts } = await startContext(loadConfig(), "demo");
try {
  const accounts = await ensureAccounts(context);
  await linkShard(link, adminAmong(accounts), context);
  process.stdout.write(`${JSON.stringify(accounts)}\n`);
} catch (error) {
  if (!(error instanceof LaunchFault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  for (const part of parts.toReversed()) await part.stop();
}

/** The administrator as one who is signed in: content is made by somebody. */
function adminAmong(accounts: readonly DemoAccount[]): Caller {
  const admin = accounts.find(({ role }) => role === "admin");
  if (!admin) throw new LaunchFault("The demo's administrator is no administrator any more");
  const now = Math.floor(Date.now() / 1000);
  return {
    userId: admin.id,
    username: admin.username,
    email: null,
    role: "admin",
    rung: "admin",
    totpEnabled: false,
    via: "web",
    amr: [],
    tokenId: "",
    issuedAt: now,
    expiresAt: now,
    signedInAt: now,
    familyId: null,
  };
}
