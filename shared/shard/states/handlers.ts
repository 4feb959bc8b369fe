import { liveStates, type CustomStateName, type StateName } from "../kinds/live-states.ts";
import type { StateHandler } from "./handler.ts";
import { createKeyedStateHandler } from "./keyed-state.ts";
import { linksHandler } from "./links.ts";
import { marketHandler } from "./market.ts";
import { presenceHandler } from "./presence.ts";
import { punishmentsHandler } from "./punishments.ts";
import { createSingleStateHandler } from "./single-state.ts";

/** CATALOGUE of the states that are written by their own module. */
const customHandlers: Readonly<Record<CustomStateName, StateHandler>> = {
  presence: presenceHandler,
  links: linksHandler,
  market: marketHandler,
  punishments: punishmentsHandler,
};

/** The handler of each live state, as its catalog entry requires. */
export const stateHandlers = Object.fromEntries(
  Object.entries(liveStates).map(([name, { kept }]) => [name, makeHandler(name, kept)]),
) as Readonly<Record<StateName, StateHandler>>;

function makeHandler(name: string, kept: (typeof liveStates)[StateName]["kept"]): StateHandler {
  if (kept === "fact") return createSingleStateHandler(name);
  return "tables" in kept
    ? customHandlers[name as CustomStateName]
    : createKeyedStateHandler(name, kept);
}
