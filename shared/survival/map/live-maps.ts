import { notFoundError } from "../../platform/errors/errors.ts";
import type { Listener } from "../../platform/notify/listener.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import { findLiveAccess, type LiveMapView, filterLiveMap } from "../visibility/map-view.ts";
import type { CallerAccess } from "../visibility/visibility.ts";
import {
  LiveFrame,
  type LiveFramePiece,
  maxFramePieces,
  type LivePositions,
} from "./live-frame.ts";

/** The pieces received so far of one frame. */
interface PartialFrame {
  readonly frame: string;
  readonly texts: string[];
}

/**
 * The newest positions of each survival server, in the memory of a process that answers requests. After
 * its start, a process has no positions until the next frame, which comes within seconds.
 */
export class LiveMaps {
  readonly #newest = new Map<number, LiveFrame>();
  readonly #arriving = new Map<number, PartialFrame>();
  readonly #ends: readonly (() => void)[];
  readonly #followers = new Set<(serverId: number) => void>();

  constructor(listener: Pick<Listener, "on" | "onGap">) {
    this.#ends = [
      listener.on("survival_live", (piece) => this.#take(piece)),
      // Drop the positions: the server may have been deleted, or may now be another game.
      listener.on("survival_servers", ({ serverId }) => this.#forget(serverId)),
      // The listener was disconnected, so drop incomplete frames.
      listener.onGap(() => this.#arriving.clear()),
    ];
  }

  /** Returns a server's newest frame; undefined if none has arrived since the process started. */
  newest(serverId: number): LiveFrame | undefined {
    return this.#newest.get(serverId);
  }

  /** Calls `follower` after each new frame. @returns a function that unsubscribes */
  onFrame(follower: (serverId: number) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  /** Adds a piece. Pieces arrive in order, and frames do not overlap. */
  #take(piece: LiveFramePiece): void {
    if (!isPiece(piece)) return;
    const { serverId, bootId, saveId, frame, page, pages, text } = piece;
    const begun = this.#arriving.get(serverId);
    const arriving = begun?.frame === frame ? begun : { frame, texts: [] };
    // A piece is missing, so wait for the next frame.
    if (page !== arriving.texts.length + 1) return;
    arriving.texts.push(text);
    if (page < pages) {
      this.#arriving.set(serverId, arriving);
      return;
    }
    this.#arriving.delete(serverId);
    this.#newest.set(serverId, new LiveFrame({ serverId, bootId, saveId }, arriving.texts));
    for (const follower of this.#followers) follower(serverId);
  }

  #forget(serverId: number): void {
    this.#newest.delete(serverId);
    this.#arriving.delete(serverId);
  }
}

/** True for a valid piece. Every database user can send notifications. */
const isPiece = ({ serverId, frame, page, pages, text }: Partial<LiveFramePiece>): boolean =>
  Number.isInteger(serverId) &&
  typeof frame === "string" &&
  typeof text === "string" &&
  Number.isInteger(page) &&
  Number.isInteger(pages) &&
  (pages as number) <= maxFramePieces;

/** Milliseconds after which positions are stale. A frame is expected at a third of this interval. */
const staleAfterMs = 15_000;

type LiveFrameView = Pick<LiveFrame, "origin" | "ageMs" | "positions">;

export interface VisibleLiveMap extends LiveMapView {
  /** The time by the clock of the game; null before the first frame. */
  readonly at: Date | null;
  readonly stale: boolean;
  readonly gameTime: number | null;
}

/**
 * Returns the live positions that one caller may see. An offline server has no positions. If a connected server
 * stops sending, its last positions stay, marked as stale.
 * @throws AppError missing if there is no live map for the caller
 */
export function readLiveMap(
  record: ServerRecord,
  { visibility, rung }: CallerAccess,
  liveMaps: { newest(serverId: number): LiveFrameView | undefined },
): VisibleLiveMap {
  if (findLiveAccess(visibility, rung) === "off") throw notFoundError("The server has no live map");
  const frame = liveMaps.newest(record.server.id);
  const { at, gameTime, layers } = (frame && positionsOf(frame, record)) ?? noPositions;
  const stale = at === null || (frame?.ageMs ?? 0) > staleAfterMs;
  return { at, stale, gameTime, ...filterLiveMap(visibility, rung, layers) };
}

const noPositions = { at: null, gameTime: null, layers: {} } as const;

const positionsOf = (frame: LiveFrameView, record: ServerRecord): LivePositions | null =>
  isCurrent(frame, record) ? frame.positions : null;

/** True if the frame belongs to the current game process and world. */
function isCurrent({ origin }: LiveFrameView, { link, source, state }: ServerRecord): boolean {
  if (link !== "connected" || !source.pluginConnected) return false;
  const isSameBoot = origin.bootId === null || origin.bootId === source.bootId;
  const isSameSave =
    origin.saveId === null || state.saveId === null || origin.saveId === state.saveId;
  return isSameBoot && isSameSave;
}
