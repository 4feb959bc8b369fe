import { createHash } from "node:crypto";

import Joi from "joi";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { ReceivedFile } from "../../platform/bridge/calls/call.ts";
import { toStorableText } from "../../platform/bridge/json-text.ts";

/** A map image with its metadata, as a game server sent it. */
export interface MapImage {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly mime: MapMime;
  readonly width: number;
  readonly height: number;
  readonly oceanMargin: number;
  readonly background: string | null;
  readonly worldSize: number;
  readonly saveId: number;
}

/** First bytes of each image type. */
const signatures = {
  "image/png": Buffer.from("89504e470d0a1a0a", "hex"),
  "image/jpeg": Buffer.from("ffd8ff", "hex"),
} as const;
type MapMime = keyof typeof signatures;

const pixels = Joi.number().integer().min(1).max(32_768).required();

const facts = Joi.object<Omit<MapImage, "bytes">>({
  hash: Joi.string().hex().length(64).lowercase().required(),
  mime: Joi.valid(...Object.keys(signatures)).required(),
  width: pixels,
  height: pixels,
  oceanMargin: Joi.number().integer().min(0).max(16_384).required(),
  background: Joi.string().max(32).empty("").default(null),
  worldSize: Joi.number().integer().min(1).max(100_000).required(),
  saveId: Joi.number().integer().min(0).required(),
});

/** @throws {BridgeError} MALFORMED if the data is no image, or does not match its headers */
export function readMapImage({ headers, bytes }: ReceivedFile): MapImage {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  const { value, error } = facts.validate({
    hash: headers["x-map-hash"],
    mime: type === "application/octet-stream" ? headers["x-map-mime"] : type,
    width: headers["x-map-width"],
    height: headers["x-map-height"],
    oceanMargin: headers["x-map-ocean-margin"],
    background: headers["x-map-background"],
    worldSize: headers["x-map-world-size"],
    saveId: headers["x-map-save-id"],
  });
  if (error) throw malformed(error.message);
  const signature = signatures[value.mime];
  if (!bytes.subarray(0, signature.length).equals(signature)) {
    throw malformed(`the bytes are not ${value.mime}`);
  }
  if (createHash("sha256").update(bytes).digest("hex") !== value.hash) {
    throw malformed("the bytes do not match the hash");
  }
  const { background } = value;
  return { ...value, bytes, background: background && toStorableText(background) };
}

const malformed = (reason: string): BridgeError =>
  new BridgeError("MALFORMED", { reason: `the map image is invalid: ${reason}` });
