import { createHash } from "node:crypto";

import Joi from "joi";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import {
  type CallDocs,
  type CallOptions,
  declareRead,
  type ReadCall,
} from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { field, objectSchema } from "../../platform/bridge/payload-fields.ts";
import { listOf, text } from "./answer-parts.ts";
import { catalogHashField } from "./asset-calls.ts";
import { exampleHash, hashField, slowCallMs } from "./paged-calls.ts";

const maxImageKeys = 200;

/** Returns the maximum number of pictures per call to this game server. */
export const findMaxImageKeys = ({
  imageKeys = maxImageKeys,
}: Pick<ControlClient, "imageKeys">): number => Math.min(imageKeys, maxImageKeys);

export interface AssetImage {
  readonly key: string;
  readonly sha256: string;
  readonly mime: "image/png" | "image/webp";
  readonly bytes: Buffer;
}

export interface AssetImages {
  readonly catalog: string;
  readonly images: AssetImage[];
  /** Keys for which the client has no picture; this is not an error. */
  readonly absent: string[];
  /** Keys for which the shard never returns pictures. */
  readonly unsupported: string[];
}

interface SentImage {
  readonly key: string;
  readonly sha256: string;
  readonly mime: string;
  readonly data: string;
}

const image = Joi.object<SentImage, true>({
  key: field(text, "Key of the picture."),
  sha256: field(hashField, "SHA-256 of the picture's bytes, in hexadecimal."),
  mime: field(
    Joi.string().valid("png", "webp", "image/png", "image/webp"),
    "Format of the picture.",
  ),
  data: field(Joi.string().base64(), "The picture's bytes in base64."),
}).custom((sent: SentImage, helpers): AssetImage | Joi.ErrorReport => {
  const bytes = Buffer.from(sent.data, "base64");
  const mime = sent.mime.endsWith("png") ? "image/png" : "image/webp";
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (hash !== sent.sha256) {
    return helpers.message({ custom: "{{#label}} does not match its sha256" });
  }
  if (!hasSignature(mime, bytes)) return helpers.message({ custom: `{{#label}} is not ${mime}` });
  return { key: sent.key, sha256: hash, mime, bytes };
});

interface SentImages extends Pick<AssetImages, "catalog" | "absent" | "unsupported"> {
  readonly images: readonly SentImage[];
}

const onePixelPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

interface KeysInput {
  readonly body: { readonly keys: readonly string[] };
}

const sentExample: SentImages = {
  catalog: exampleHash,
  images: [
    {
      key: "item:3922",
      sha256: createHash("sha256").update(onePixelPng).digest("hex"),
      mime: "image/png",
      data: onePixelPng.toString("base64"),
    },
  ],
  absent: ["item:1"],
  unsupported: ["gump:7"],
};

const docs: CallDocs = {
  about:
    "Return pictures by their keys. Each requested key must be in exactly one of the lists " +
    "`images`, `absent` and `unsupported`. This call is a read: it has no actor and no " +
    "idempotency key.",
  body: objectSchema({
    keys: field(
      listOf(text),
      `Keys of pictures: at most ${maxImageKeys} for a sidecar, at most 50 for a plugin.`,
    ),
  }),
  codes: ["NO_SOURCE", "NO_IMAGING", "DISABLED", "BUSY"],
  example: { body: { keys: ["item:3922", "item:1", "gump:7"] }, answer: sentExample },
};

export const getAssetImagesCall: ReadCall<AssetImages, KeysInput> = {
  ...declareRead<AssetImages, KeysInput>({
    method: "POST",
    path: "/v1/assets/images",
    since: { protocol: 8, before: "NO_SOURCE" },
    timeoutMs: slowCallMs,
    answer: Joi.object<AssetImages>({
      catalog: catalogHashField,
      images: field(Joi.array<AssetImage[]>().items(image), "Requested pictures."),
      absent: field(listOf(text), "Keys for which the game client has no picture."),
      unsupported: field(listOf(text), "Keys of types that your program does not support."),
    }),
  }),
  // `docs` describes the answer as sent, because the schema converts it to another type.
  docs,
};

/** Fetches and checks up to 200 pictures. @throws {BridgeError} MALFORMED also for unrequested keys */
export async function fetchImages(
  control: ControlClient,
  keys: readonly string[],
  options: CallOptions = {},
): Promise<AssetImages> {
  const answer = await control.read(getAssetImagesCall, { body: { keys }, ...options });
  const asked = new Set(keys);
  const answered = [
    ...answer.images.map(({ key }) => key),
    ...answer.absent,
    ...answer.unsupported,
  ];
  // Each match deletes the key from `asked`, so a repeated key is rejected.
  const foreign = answered.find((key) => !asked.delete(key));
  if (foreign !== undefined) {
    throw new BridgeError("MALFORMED", {
      reason: `the shard answered for ${foreign.slice(0, 64)}, which the site did not request`,
    });
  }
  return answer;
}

/** Checks the file signature, because browsers receive these bytes as pictures. */
function hasSignature(mime: AssetImage["mime"], bytes: Buffer): boolean {
  if (mime === "image/png") return bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n";
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
}
