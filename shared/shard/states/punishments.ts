import type { Sql } from "../../platform/db/sql.ts";
import type { PayloadOf } from "../kinds/kinds.ts";
import { noteBan, noteUnban } from "../punishments/known-bans.ts";
import type { StateHandler } from "./handler.ts";
import type { MetReach, StateEvent } from "./state-event.ts";

/** Who is banned, by what the shard tells of its accounts. */
export const punishmentsHandler: StateHandler = { apply: followBans };

type Audit = PayloadOf<"account.audit">;

/** An account that is made anew under a name is not the one that was banned under it. */
const endings: ReadonlySet<string> = new Set(["unbanned", "created", "deleted"]);

/** Staff ban a few accounts a day, so each is a statement of its own. */
async function followBans(events: readonly StateEvent[], connection: Sql): Promise<MetReach[]> {
  for (const { frame, payload } of events) {
    const { acct: account, action, by = null, detail } = payload as Audit;
    const told = { account, by, reason: detail ?? "", t: frame.t };
    if (action === "banned") await noteBan(told, connection);
    if (endings.has(action)) await noteUnban(told, connection);
  }
  return [];
}
