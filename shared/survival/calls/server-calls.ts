import Joi from "joi";

import { command, type FileCall, read } from "../../bridge/call.ts";
import { count, flag, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { gameName, steamId } from "../kinds/fields.ts";

/** Protocols of survival servers that this service speaks. */
export const survivalProtocols = [13] as const;

const healthAnswer = Joi.object<{ protocol: number; pluginConnected: boolean }>({
  protocol: Joi.number().integer(),
  pluginConnected: Joi.boolean(),
});

export const serverHealth = read({ method: "GET", path: "/v1/health", answer: healthAnswer });

/** What the game server says of itself, as its first frame would. */
export const serverHello = read({
  method: "GET",
  path: "/v1/hello",
  answer: Joi.object<Record<string, unknown>>().unknown(),
});

/** Has states said again; they come over the socket. */
export const resync = command<object, { body: { families: readonly string[] } }>({
  method: "POST",
  path: "/v1/resync",
  answer: Joi.object(),
});

/** Says something to everybody who is on the server. */
export const sendAnnouncement = command<
  { readonly delivered: number },
  { body: { message: string; voice: object | null; channel: "chat" } }
>({
  method: "POST",
  path: "/v1/announce",
  answer: shape({ delivered: count() }),
});

/** The picture of the world that stands; what it is stands in its headers. */
export const fetchMapImage: FileCall = {
  method: "POST",
  path: "/v1/map/fetch",
  timeoutMs: 60_000,
};

/** Has the game draw its map anew; `map.info` names the picture once it is there. */
export const orderMapRender = command<object, { body: { scale: number } }>({
  method: "POST",
  path: "/v1/map/render",
  answer: Joi.object(),
});

/** Which optional mods the game has loaded now. */
export const listIntegrations = read({
  method: "GET",
  path: "/v1/integrations",
  answer: shape({
    framework: maybe(shape({ name: text(32), version: maybe(text(64)) })),
    integrations: listOf(
      shape({
        id: text(64),
        mod: maybe(text(128)),
        loaded: flag(),
        version: maybe(text(64)),
      }),
    ),
  }),
});

/** Gives a code back to the game that made it, which says whose it was. A code is good once. */
export const redeemCode = command<
  { readonly steamId: string; readonly name: string },
  { body: { code: string } }
>({
  method: "POST",
  path: "/v1/link/redeem",
  answer: shape({ steamId: steamId(), name: gameName() }),
});
