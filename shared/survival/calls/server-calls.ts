import { createHash } from "node:crypto";

import Joi from "joi";

import { declareCommand, type FileCall, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  count,
  field,
  flag,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { decimal, instantMs, playerFields } from "../kinds/fields.ts";
import { serverKinds } from "../kinds/server.ts";
import { messageStyleBodyFields, messageStyleExample } from "./speech-calls.ts";

/** An image of one pixel, for the example in the documentation. */
const dotImage = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Supported protocol versions of survival servers. */
export const survivalProtocols = [13] as const;

const healthAnswer = Joi.object<{ protocol: number; pluginConnected: boolean }>({
  protocol: field(Joi.number().integer(), "Protocol version of the sidecar."),
  pluginConnected: field(
    Joi.boolean(),
    "Whether the plugin in the game process is connected to the sidecar.",
  ),
});

export const serverHealthCall = declareRead({
  method: "GET",
  path: "/v1/health",
  answer: healthAnswer,
  docs: {
    about: "Return the state of the sidecar and of the game process.",
    example: { answer: { protocol: 13, pluginConnected: true } },
  },
});

/** Reads the hello, which is also the first frame of the socket. */
export const serverHelloCall = declareRead({
  method: "GET",
  path: "/v1/hello",
  answer: Joi.object<Record<string, unknown>>().unknown(),
  docs: {
    about:
      "Return the payload of `server.hello`. The site makes this call when staff test the link.",
    example: { answer: { ...serverKinds["server.hello"].example } },
  },
});

/** Requests states again. They arrive over the socket. */
export const requestResyncCall = declareCommand<object, { body: { families: readonly string[] } }>({
  method: "POST",
  path: "/v1/resync",
  answer: Joi.object(),
  docs: {
    about:
      "Send the states of each listed family, as events. Answer with status 202 before you send " +
      "the events.",
    body: objectSchema({
      families: field(listOf(text()), "Families whose states the site needs."),
    }),
    example: { body: { families: ["server", "players"] }, answer: {} },
  },
});

export const sendAnnouncementCall = declareCommand<
  { readonly delivered: number },
  { body: { message: string; voice: object | null; channel: "chat" } }
>({
  method: "POST",
  path: "/v1/announce",
  answer: objectSchema({
    delivered: field(count(), "Number of players who received the message."),
  }),
  docs: {
    about: "Show a message to all players on the server.",
    body: objectSchema({
      message: field(text(512), "Text of the message."),
      voice: field(
        objectSchema(messageStyleBodyFields).allow(null),
        "Style of the message, with the fields of `PUT /v1/voice`. Null for the game's own style.",
      ),
      channel: field(Joi.string().valid("chat"), "Where to show the message: always `chat`."),
    }),
    example: {
      body: {
        message: "The arena opens in ten minutes.",
        voice: messageStyleExample,
        channel: "chat",
      },
      answer: { delivered: 2 },
    },
  },
});

/** Fetches the map image of the current world. The headers contain its metadata. */
export const fetchMapImageCall: FileCall = {
  method: "POST",
  path: "/v1/map/fetch",
  timeoutMs: 60_000,
  file: objectSchema({
    mime: field(Joi.string().valid("image/png", "image/jpeg"), "Format of the map image."),
    data: field(
      Joi.string().base64(),
      "Bytes of the map image in base64, at most 8 MiB after decoding.",
    ),
    hash: field(
      Joi.string().pattern(/^[\da-f]{64}$/),
      "SHA-256 of the map image's bytes, in hexadecimal.",
    ),
    width: field(count(), "Width of the map image in pixels."),
    height: field(count(), "Height of the map image in pixels."),
    oceanMargin: field(count(), "Width of the ocean on each side of the map image, in pixels."),
    background: field(nullish(text(32)), "Color of the ocean in the map image, such as `#12404d`."),
    worldSize: field(count(), "Width of the map in meters."),
    saveId: field(
      instantMs(),
      "Id of the world that the map image shows: the creation time of its save, in epoch " +
        "milliseconds.",
    ),
  }),
  docs: {
    about:
      "Return the map image. This call is a read: it has no actor and no idempotency key. A " +
      "plugin answers with the fields below. A sidecar answers with the bytes of the image and " +
      "their `Content-Type`, and sends the other fields as headers: `X-Map-Hash`, `X-Map-Width`, " +
      "`X-Map-Height`, `X-Map-Ocean-Margin`, `X-Map-Background`, `X-Map-World-Size` and " +
      "`X-Map-Save-Id`.",
    codes: ["NO_IMAGE"],
    example: {
      answer: {
        mime: "image/png",
        data: dotImage.toString("base64"),
        hash: createHash("sha256").update(dotImage).digest("hex"),
        width: 1,
        height: 1,
        oceanMargin: 0,
        background: "#12404d",
        worldSize: 4_250,
        saveId: 1_764_158_400_000,
      },
    },
  },
};

/** Has the game draw its map again. The frame `map.info` reports the new image. */
export const requestMapRenderCall = declareCommand<object, { body: { scale: number } }>({
  method: "POST",
  path: "/v1/map/render",
  answer: Joi.object(),
  docs: {
    about:
      "Draw a new map image. Answer with status 202, and send the state `map.info` with the new " +
      "hash when the image is ready.",
    body: objectSchema({ scale: field(decimal(), "Number of pixels for each meter of the map.") }),
    example: { body: { scale: 0.5 }, answer: {} },
  },
});

const mod = objectSchema({
  id: field(text(64), "Purpose of the mod, such as `zones` or `kits`."),
  mod: field(nullish(text(128)), "Name of the mod."),
  loaded: field(flag(), "Whether the game has loaded the mod."),
  version: field(nullish(text(64)), "Version of the mod."),
});

const framework = objectSchema({
  name: field(text(32), "Name of the mod loader: `oxide` or `carbon`."),
  version: field(nullish(text(64)), "Version of the mod loader."),
});

export const listIntegrationsCall = declareRead({
  method: "GET",
  path: "/v1/integrations",
  answer: objectSchema({
    framework: field(
      nullish(framework),
      "Mod loader of the game. Null if the game has no mod loader.",
    ),
    integrations: field(listOf(mod), "Optional mods that the plugin can use."),
  }),
  docs: {
    about:
      "Return the optional mods that the plugin can use, and whether the game has loaded each of " +
      "them.",
    example: {
      answer: {
        framework: { name: "oxide", version: "2.0.6511" },
        integrations: [{ id: "zones", mod: "ZoneManager", loaded: true, version: "3.1.7" }],
      },
    },
  },
});

/** Redeems a link code and returns the player for whom the game created it. Each code works once. */
export const redeemCodeCall = declareCommand<
  { readonly steamId: string; readonly name: string },
  { body: { code: string } }
>({
  method: "POST",
  path: "/v1/link/redeem",
  answer: objectSchema(playerFields),
  docs: {
    about:
      "Return the player for whom the game created the code that the plugin announced with " +
      "`link.minted`. Accept each code only once; after that, answer 404 `NOT_FOUND`.",
    body: objectSchema({ code: field(text(64), "Link code, as the user typed it.") }),
    codes: ["NOT_FOUND"],
    example: {
      body: { code: "7QK4-XM2P" },
      answer: { steamId: "76561198000000001", name: "Anna" },
    },
  },
});
