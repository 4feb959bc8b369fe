import type { SqlClient } from "../../platform/db/sql.ts";
import type { PayloadOf } from "../kinds/kinds.ts";
import { storeReportedBan, storeReportedUnban } from "../punishments/reported-bans.ts";
import type { StateHandler } from "./handler.ts";
import type { StateEventReach, StateEvent } from "./state-event.ts";

/** Tracks bans by the account events of the shard. */
export const punishmentsHandler: StateHandler = { apply: applyBanEvents };

type Audit = PayloadOf<"account.audit">;

/** Actions that end a ban. `created`: a new account has the name of the banned account, which is gone. */
const banEndingActions: ReadonlySet<string> = new Set(["unbanned", "created", "deleted"]);

/** Staff ban only a few accounts a day, so each event has its own statement. */
async function applyBanEvents(
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  for (const { frame, payload } of events) {
    const { acct: account, action, by = null, detail } = payload as Audit;
    const told = { account, by, reason: detail ?? "", t: frame.t };
    if (action === "banned") await storeReportedBan(told, connection);
    if (banEndingActions.has(action)) await storeReportedUnban(told, connection);
  }
  return [];
}
