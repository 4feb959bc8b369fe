import { missing } from "../../../platform/errors/errors.ts";
import type { ServerRecord } from "../../servers/read-servers.ts";
import { liveAccess, type LiveView, liveView } from "../../visibility/map-view.ts";
import type { View } from "../../visibility/read-visibility.ts";
import type { LiveFrame, Positions } from "./live-frame.ts";

/** Three frames: fewer may be late. */
const staleAfterMs = 15_000;

/** A frame, with how long it has been here. */
type Known = Pick<LiveFrame, "origin" | "ageMs" | "positions">;

export interface ShownLive extends LiveView {
  /** By the clock of the game; null where nothing has come yet. */
  readonly at: Date | null;
  readonly stale: boolean;
  readonly gameTime: number | null;
}

/**
 * Where things are on a server now, as one caller sees it. Nothing is anywhere on a server that is
 * off; on one that is there and has fallen silent things stay where they were last, and are stale.
 * @throws AppError missing where there is no live map for the caller
 */
export function readLive(
  record: ServerRecord,
  { visibility, rung }: View,
  liveMaps: { newest(serverId: number): Known | undefined },
): ShownLive {
  if (liveAccess(visibility, rung) === "off") throw missing("There is no live map");
  const frame = liveMaps.newest(record.server.id);
  const { at, gameTime, layers } = (frame && positionsOf(frame, record)) ?? nowhere;
  const stale = at === null || (frame?.ageMs ?? 0) > staleAfterMs;
  return { at, stale, gameTime, ...liveView(visibility, rung, layers) };
}

const nowhere = { at: null, gameTime: null, layers: {} } as const;

const positionsOf = (frame: Known, record: ServerRecord): Positions | null =>
  isOfNow(frame, record) ? frame.positions : null;

/** Whether it is from the game process and the world that are there now. */
function isOfNow({ origin }: Known, { link, source, state }: ServerRecord): boolean {
  if (link !== "connected" || !source.pluginConnected) return false;
  const isSameBoot = origin.bootId === null || origin.bootId === source.bootId;
  const isSameSave =
    origin.saveId === null || state.saveId === null || origin.saveId === state.saveId;
  return isSameBoot && isSameSave;
}
