import Joi from "joi";

import {
  count,
  key,
  large,
  listOf,
  logText,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { plain } from "../values/view.ts";
import { instant } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const identity = {
  shard: maybe(text()),
  version: maybe(text()),
  expansion: maybe(text()),
  protocol: maybe(count()),
  bootId: maybe(key()),
  uptimeMs: maybe(large()),
  features: maybe(listOf(text())),
  clock: maybe(instant()),
};

/** Messages about one thing replace each other at the relay: the last one tells how it stands. */
const status = { public: "server.status", refOf: () => "shard" } as const;

/** What the game process says of itself. */
export const serverKinds = {
  "server.hello": staffKind(shape(identity)),
  "server.started": publicKind(shape(identity), {
    feature: "status",
    view: plain("shard", "version", "expansion"),
    push: status,
  }),
  "server.stopping": publicKind(
    shape({ reason: maybe(text()), exception: maybe(logText(20_000)) }),
    {
      feature: "status",
      view: plain("reason"),
      push: status,
    },
  ),
  "server.restart.scheduled": publicKind(
    shape({ at: maybe(instant()), delaySec: maybe(count()) }),
    { feature: "status", view: plain("at", "delaySec") },
  ),
  "server.save": staffKind(
    shape({
      phase: maybe(text()),
      durationMs: maybe(large()),
      items: maybe(large()),
      mobiles: maybe(large()),
    }),
  ),
  "server.heartbeat": staffKind(
    shape({
      online: maybe(count()),
      items: maybe(large()),
      mobiles: maybe(large()),
      guilds: maybe(count()),
      memBytes: maybe(large()),
      cpu: maybe(Joi.number()),
      uptimeMs: maybe(large()),
    }),
  ),
};
