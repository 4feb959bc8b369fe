import type { Sql } from "../../platform/db/sql.ts";
import type { PayloadOf } from "../kinds/kinds.ts";
import { noteBan, noteUnban } from "../punishments/known-bans.ts";
import type { StateHandler } from "./handler.ts";
import type { MetReach, StateEvent } from "./state-event.ts";

/** Tracks bans by the account events of the shard. */
export const punishmentsHandler: StateHandler = { apply: followBans };

type Audit = PayloadOf<"account.audit">;

/** A new account with the name of a banned one is another account. */
const endings: ReadonlySet<string> = new Set(["unbanned", "created", "deleted"]);

/** Staff ban only a few accounts a day, so each event has its own statement. */
async function followBans(events: readonly StateEvent[], connection: Sql): Promise<MetReach[]> {
  for (const { frame, payload } of events) {
    const { acct: account, action, by = null, detail } = payload as Audit;
    const told = { account, by, reason: detail ?? "", t: frame.t };
    if (action === "banned") await noteBan(told, connection);
    if (endings.has(action)) await noteUnban(told, connection);
  }
  return [];
}
