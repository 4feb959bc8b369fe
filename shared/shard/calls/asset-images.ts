import { createHash } from "node:crypto";

import Joi from "joi";

import { BridgeError } from "../../bridge/bridge-error.ts";
import { type CallOptions, read } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import { listOf, text } from "../values/answer-parts.ts";
import { catalogHash } from "./asset-calls.ts";
import { sha256, slowCallMs } from "./paged-calls.ts";

/** Pictures one call may ask for. */
const maxImageKeys = 200;

/** Pictures one call to a game server may ask for. */
export const imageKeysOf = ({ imageKeys = maxImageKeys }: Pick<Control, "imageKeys">): number =>
  Math.min(imageKeys, maxImageKeys);

export interface AssetImage {
  readonly key: string;
  readonly sha256: string;
  readonly mime: "image/png" | "image/webp";
  readonly bytes: Buffer;
}

export interface AssetImages {
  readonly catalog: string;
  readonly images: AssetImage[];
  /** Keys without art, which is no failure. */
  readonly absent: string[];
  /** Keys the shard does not serve. */
  readonly unsupported: string[];
}

interface SentImage {
  readonly key: string;
  readonly sha256: string;
  readonly mime: string;
  readonly data: string;
}

const image = Joi.object<SentImage, true>({
  key: text,
  sha256,
  mime: Joi.string().valid("png", "webp", "image/png", "image/webp"),
  data: Joi.string().base64(),
}).custom((sent: SentImage, helpers): AssetImage | Joi.ErrorReport => {
  const bytes = Buffer.from(sent.data, "base64");
  const mime = sent.mime.endsWith("png") ? "image/png" : "image/webp";
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (hash !== sent.sha256) return helpers.message({ custom: "{{#label}} has another sha256" });
  if (!isOf(mime, bytes)) return helpers.message({ custom: `{{#label}} is no ${mime}` });
  return { key: sent.key, sha256: hash, mime, bytes };
});

const getImages = read<AssetImages, { body: { keys: readonly string[] } }>({
  method: "POST",
  path: "/v1/assets/images",
  since: { protocol: 8, before: "NO_SOURCE" },
  timeoutMs: slowCallMs,
  answer: Joi.object<AssetImages>({
    catalog: catalogHash,
    images: Joi.array<AssetImage[]>().items(image),
    absent: listOf(text),
    unsupported: listOf(text),
  }),
});

/**
 * Fetches up to 200 pictures, their hashes checked.
 * @throws {BridgeError} MALFORMED also when the answer is not about the keys that were asked for
 */
export async function fetchImages(
  control: Control,
  keys: readonly string[],
  options: CallOptions = {},
): Promise<AssetImages> {
  const answer = await control.read(getImages, { body: { keys }, ...options });
  const asked = new Set(keys);
  const answered = [
    ...answer.images.map(({ key }) => key),
    ...answer.absent,
    ...answer.unsupported,
  ];
  // Each key is deleted as it is met, so one that comes twice is foreign the second time.
  const foreign = answered.find((key) => !asked.delete(key));
  if (foreign !== undefined) {
    throw new BridgeError("MALFORMED", { reason: `an answer for ${foreign.slice(0, 64)}` });
  }
  return answer;
}

/** Browsers are served these bytes as pictures, so they must be what they are said to be. */
function isOf(mime: AssetImage["mime"], bytes: Buffer): boolean {
  if (mime === "image/png") return bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n";
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
}
