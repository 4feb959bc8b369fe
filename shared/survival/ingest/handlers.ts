import { clanHandlers } from "../clans/clan-handlers.ts";
import { configOutcomeHandlers } from "../config/write-outcomes.ts";
import type { FrameHandler, FrameHandlers } from "../kinds/handler.ts";
import { linkCodeHandlers } from "../links/link-codes.ts";
import { mapHandlers } from "../map/map-handlers.ts";
import { killHandlers, placementHandlers } from "../npcs/npc-handlers.ts";
import { inventoryHandlers } from "../permissions/sync/inventory-handlers.ts";
import { syncHandlers } from "../permissions/sync/sync-handlers.ts";
import { presenceHandlers } from "../players/presence.ts";
import { tallyHandlers } from "../players/tally-handlers.ts";
import { reportHandlers } from "../reports/store-report.ts";
import { kitHandlers } from "../rewards/kit-handlers.ts";
import { serverHandlers, wipeHandlers } from "../servers/server-handlers.ts";
import { titleHandlers } from "../titles/title-sync.ts";
import { expiryHandlers } from "./expiry-handlers.ts";

/** CATALOGUE of the handlers of frames. If several modules handle a kind, they run in this order. */
const handlerGroups: readonly FrameHandlers[] = [
  serverHandlers,
  wipeHandlers,
  presenceHandlers,
  reportHandlers,
  tallyHandlers,
  clanHandlers,
  killHandlers,
  mapHandlers,
  linkCodeHandlers,
  configOutcomeHandlers,
  expiryHandlers,
  inventoryHandlers,
  syncHandlers,
  titleHandlers,
  placementHandlers,
  kitHandlers,
];

const handlers = mergeHandlers(handlerGroups);

/** Undefined for a kind whose frames are only stored. */
export const findFrameHandler = (kind: string): FrameHandler<unknown> | undefined =>
  handlers.get(kind);

function mergeHandlers(
  given: readonly FrameHandlers[],
): ReadonlyMap<string, FrameHandler<unknown>> {
  const gathered = new Map<string, FrameHandler<unknown>>();
  for (const [kind, handler] of given.flatMap((room) => Object.entries(room))) {
    const later = handler as FrameHandler<unknown>;
    const earlier = gathered.get(kind);
    gathered.set(kind, earlier ? chainHandlers(earlier, later) : later);
  }
  return gathered;
}

function chainHandlers(
  earlier: FrameHandler<unknown>,
  later: FrameHandler<unknown>,
): FrameHandler<unknown> {
  return async (taken, ground) => {
    await earlier(taken, ground);
    await later(taken, ground);
  };
}
