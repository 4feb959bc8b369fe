import type { SqlClient } from "../../platform/db/sql.ts";
import type { ShardPayload } from "../kinds/kinds.ts";
import { type CustomStateName, liveStates, type StateName } from "../kinds/live-states.ts";
import { storeReportedBan, storeReportedUnban } from "../punishments/reported-bans.ts";
import type { StateHandler } from "./handler.ts";
import { createKeyedStateHandler } from "./keyed-state.ts";
import { linksHandler } from "./links.ts";
import { marketHandler } from "./market.ts";
import { presenceHandler } from "./presence.ts";
import { createSingleStateHandler } from "./single-state.ts";
import type { StateEvent, StateEventReach } from "./state-event.ts";

/** Tracks bans by the account events of the shard. */
const punishmentsHandler: StateHandler = { apply: applyBanEvents };

type Audit = ShardPayload<"account.audit">;

/**
 * Actions that end a ban. `created` also ends it: the banned account no longer exists if a new account has its
 * name.
 */
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

/** CATALOGUE of the live states with a handler of their own. All other states use a generic handler. */
const customHandlers: Readonly<Record<CustomStateName, StateHandler>> = {
  presence: presenceHandler,
  links: linksHandler,
  market: marketHandler,
  punishments: punishmentsHandler,
};

/** The handler of each live state. The storage in the state's catalog entry (`kept`) decides the handler. */
export const stateHandlers = Object.fromEntries(
  Object.entries(liveStates).map(([name, { kept }]) => [name, makeHandler(name, kept)]),
) as Readonly<Record<StateName, StateHandler>>;

function makeHandler(name: string, kept: (typeof liveStates)[StateName]["kept"]): StateHandler {
  if (kept === "fact") return createSingleStateHandler(name);
  return "tables" in kept
    ? customHandlers[name as CustomStateName]
    : createKeyedStateHandler(name, kept);
}
