import { randomUUID } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

import type { Channels } from "../../../platform/notify/channels.ts";
import type { SurvivalPayload } from "../../kinds/kinds.ts";

export type LivePayload = SurvivalPayload<"map.live">;

/** A part of a frame of positions: a notification carries less than 8,000 bytes. */
export type LivePiece = Channels["survival_live"];

/** Whose positions they are. */
export type LiveOrigin = Pick<LivePiece, "serverId" | "bootId" | "saveId">;

const pieceLength = 6_500;

/** A frame's text is 256 KiB at most, and some of that is not the payload. */
const longestPayload = 256 * 1024;

/** More than the pieces of the largest frame, were it not made smaller at all. */
export const mostPieces = 64;

/** A frame of positions in pieces, each in Base64, of which JSON escapes nothing. */
export function splitLive(payload: LivePayload, origin: LiveOrigin): LivePiece[] {
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

/** @throws for texts that are none of `splitLive` */
export const joinLive = (texts: readonly string[]): LivePayload =>
  JSON.parse(
    inflateRawSync(Buffer.from(texts.join(""), "base64"), {
      maxOutputLength: 2 * longestPayload,
    }).toString(),
  ) as LivePayload;
