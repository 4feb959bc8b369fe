import Joi from "joi";

import {
  count,
  flag,
  large,
  listOf,
  logText,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { decimal, instantMs, said } from "./fields.ts";
import { happening, standing } from "./kind.ts";

const helper = shape({
  id: text(64),
  name: maybe(text(128)),
  version: maybe(text(64)),
  loaded: flag(),
});

/** The states a game process says it is in. */
export const serverStates = ["starting", "online", "saving", "restarting", "offline"] as const;

/** The game server itself, its world and its plugins. */
export const serverKinds = {
  "server.hello": standing(
    shape({
      serverName: text(256),
      framework: maybe(shape({ name: text(32), version: maybe(text(64)) })),
      game: maybe(
        shape({
          version: maybe(text(64)),
          protocolNetwork: maybe(count()),
          protocolSave: maybe(count()),
        }),
      ),
      plugin: maybe(shape({ version: maybe(text(64)) })),
      npcApi: maybe(count()),
      startedAt: maybe(instantMs()),
      worldReady: flag(),
      world: shape({
        level: maybe(text(256)),
        seed: maybe(Joi.alternatives(text(32), large())),
        size: maybe(count()),
        saveCreatedAt: instantMs(),
        levelUrl: maybe(text(2_048)),
      }),
      helpers: listOf(helper),
      capabilities: listOf(text(64)),
    }),
  ),
  "server.status": standing(
    shape({
      state: Joi.string<(typeof serverStates)[number]>().valid(...serverStates),
      players: count(),
      maxPlayers: count(),
      queued: maybe(count()),
      joining: maybe(count()),
      fps: maybe(decimal()),
      uptimeSec: maybe(count()),
      gameTime: maybe(decimal()),
      entities: maybe(count()),
    }),
  ),
  "world.ready": standing(shape({ saveId: instantMs() })),
  "world.wiped": happening(
    "public",
    shape({
      saveId: instantMs(),
      previousSaveId: maybe(instantMs()),
      saveProtocol: maybe(count()),
      previousProtocol: maybe(count()),
      blueprints: Joi.string<Blueprints>().valid("kept", "wiped", "unknown"),
      level: maybe(text(256)),
      seed: maybe(Joi.alternatives(text(32), large())),
      size: maybe(count()),
    }),
  ),
  "plugin.loaded": happening("staff", pluginShape()),
  "plugin.unloaded": happening("staff", pluginShape()),
  "plugin.failed": happening(
    "staff",
    shape({
      name: text(128),
      errors: listOf(
        shape({
          line: maybe(count()),
          column: maybe(count()),
          code: maybe(text(64)),
          message: logText(2_000),
        }),
      ),
    }),
  ),
};

export type Blueprints = "kept" | "wiped" | "unknown";

function pluginShape() {
  return shape({
    name: text(128),
    title: maybe(text(256)),
    version: maybe(text(64)),
    author: maybe(text(256)),
    helperId: maybe(text(64)),
    permissions: maybe(listOf(text(128))),
    reason: maybe(said(500)),
  });
}
