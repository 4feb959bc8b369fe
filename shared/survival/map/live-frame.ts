import { randomUUID } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

import type { Channels } from "../../platform/notify/channels.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { displayName } from "../plain-texts.ts";
import type { LiveLayers } from "../visibility/map-view.ts";

export interface LivePositions {
  /** The time by the clock of the game. */
  readonly at: Date;
  /** The hour of the day in the game. */
  readonly gameTime: number | null;
  readonly layers: LiveLayers;
}

/** The positions at one moment. The received texts are parsed on first use. */
export class LiveFrame {
  readonly origin: LiveOrigin;
  readonly #arrivedAt = performance.now();
  readonly #texts: readonly string[];
  #positions: LivePositions | null | undefined;

  /** @param texts texts of the frame's pieces, in order */
  constructor(origin: LiveOrigin, texts: readonly string[]) {
    this.origin = origin;
    this.#texts = texts;
  }

  get ageMs(): number {
    return performance.now() - this.#arrivedAt;
  }

  /** Null if the texts are not a valid frame. */
  get positions(): LivePositions | null {
    if (this.#positions === undefined) this.#positions = readPositions(this.#texts);
    return this.#positions;
  }
}

function readPositions(texts: readonly string[]): LivePositions | null {
  try {
    return positionsOf(joinLiveFrame(texts));
  } catch {
    // Every database user can send notifications, so the texts may be invalid.
    return null;
  }
}

const positionsOf = ({ at, gameTime = null, ...layers }: LivePayload): LivePositions => ({
  at: new Date(at),
  gameTime,
  layers: {
    events: layers.events.map(shownEvent),
    players: layers.players.map(shownPlayer),
    bases: layers.bases.map(shownBase),
  },
});

const longestText = 128;

const textOrNull = (text: string | null | undefined): string | null =>
  toPlainText(text ?? "", longestText) || null;

const timeOrNull = (ms: number | null | undefined): string | null =>
  typeof ms === "number" ? new Date(ms).toISOString() : null;

type Item<Layer extends "events" | "players" | "bases"> = LivePayload[Layer][number];

const shownEvent = ({ id, type, x, z, rotation = null, label, since }: Item<"events">) => ({
  id,
  type,
  x,
  z,
  rotation,
  label: textOrNull(label),
  since: timeOrNull(since),
});

const shownPlayer = ({ steamId, name, x, z, clan, ...player }: Item<"players">) => ({
  steamId,
  name: displayName(name, steamId),
  x,
  z,
  rotation: player.rotation ?? null,
  health: player.health ?? null,
  clan: textOrNull(clan),
  sleeping: player.sleeping ?? false,
  dead: player.dead ?? false,
});

const shownBase = ({ id, x, z, owner = null, auth, protectedUntil }: Item<"bases">) => ({
  id,
  x,
  z,
  owner,
  auth: auth ?? [],
  protectedUntil: timeOrNull(protectedUntil),
});

export type LivePayload = SurvivalPayload<"map.live">;

/** A piece of a frame of positions. Frames are split because a notification holds less than 8,000 bytes. */
export type LiveFramePiece = Channels["survival_live"];

type LiveOrigin = Pick<LiveFramePiece, "serverId" | "bootId" | "saveId">;

const pieceLength = 6_500;

/** Maximum size in bytes of a frame, including its envelope. */
const longestPayload = 256 * 1024;

/** Maximum number of pieces of a frame. The largest frame needs fewer pieces, even uncompressed. */
export const maxFramePieces = 64;

/** Splits a frame of positions into pieces. Base64 avoids escaping in JSON. */
export function splitLiveFrame(payload: LivePayload, origin: LiveOrigin): LiveFramePiece[] {
  const packed = deflateRawSync(JSON.stringify(payload), { level: constants.Z_BEST_SPEED });
  const text = packed.toString("base64");
  const frame = randomUUID();
  const pages = Math.ceil(text.length / pieceLength);
  return Array.from({ length: pages }, (_, index) => ({
    ...origin,
    frame,
    page: index + 1,
    pages,
    text: text.slice(index * pieceLength, (index + 1) * pieceLength),
  }));
}

/** @throws Error if `splitLiveFrame` did not create the texts */
export const joinLiveFrame = (texts: readonly string[]): LivePayload =>
  JSON.parse(
    inflateRawSync(Buffer.from(texts.join(""), "base64"), {
      maxOutputLength: 2 * longestPayload,
    }).toString(),
  ) as LivePayload;
