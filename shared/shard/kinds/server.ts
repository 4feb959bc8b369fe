import Joi from "joi";

import {
  count,
  field,
  rowKey,
  largeCount,
  listOf,
  logText,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { plainViews } from "../visibility/view.ts";
import { exampleTime, hourMs, epochMsField } from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";

const uptimeMs = field(
  nullish(largeCount()),
  "Number of milliseconds since the game process started.",
);
const items = field(nullish(largeCount()), "Number of items in the world.");
const mobiles = field(nullish(largeCount()), "Number of characters and creatures in the world.");

const identity = {
  shard: field(nullish(text()), "Name of the shard."),
  version: field(nullish(text()), "Name and version of the game server's software."),
  expansion: field(nullish(text()), "Expansion of the game, such as `EJ`."),
  protocol: field(nullish(count()), "Version of the protocol that the plugin implements."),
  bootId: field(nullish(rowKey()), "Id of the game process."),
  uptimeMs,
  features: field(
    nullish(listOf(text())),
    "Names of the features that the plugin supports, such as `points`.",
  ),
  clock: field(
    nullish(epochMsField()),
    "Current time by the game server's clock, in epoch milliseconds.",
  ),
};

const demo = {
  shard: "Guildhall Demo",
  version: "ServUO Pub 58",
  expansion: "EJ",
  protocol: 8,
  bootId: "b7c0a1de-52d4-4a1f-9d55-0c6c5a1f0e11",
  uptimeMs: 4_200,
  features: ["champions", "points"],
  clock: exampleTime,
};

/** All messages have one subject, so that the relay replaces an older message by the newest. */
const status = { public: "server.status", subjectOf: () => "shard" } as const;

export const serverKinds = {
  "server.hello": defineStaffKind(objectSchema(identity), {
    about: "Describes the game server. A plugin may send it when it connects to the site.",
    example: demo,
  }),
  "server.started": definePublicKind(objectSchema(identity), {
    about: "The game server started.",
    example: demo,
    feature: "status",
    view: plainViews("shard", "version", "expansion"),
    push: status,
  }),
  "server.stopping": definePublicKind(
    objectSchema({
      reason: field(
        nullish(text()),
        "Why the game server stops: `shutdown`, `restart` or `crash`.",
      ),
      exception: field(
        nullish(logText(20_000)),
        "Text of the exception, for administrators. The site stores the first 20,000 characters.",
      ),
    }),
    {
      about:
        "The game server is about to stop. A game process that is killed cannot send this event.",
      example: { reason: "crash", exception: "System.NullReferenceException at World.Save" },
      feature: "status",
      view: plainViews("reason"),
      push: status,
    },
  ),
  "server.restart.scheduled": definePublicKind(
    objectSchema({
      at: field(nullish(epochMsField()), "When the game server restarts, in epoch milliseconds."),
      delaySec: field(nullish(count()), "Number of seconds until the restart."),
    }),
    {
      about: "A restart of the game server was scheduled.",
      example: { at: exampleTime + hourMs, delaySec: 3_600 },
      feature: "status",
      view: plainViews("at", "delaySec"),
    },
  ),
  "server.save": defineStaffKind(
    objectSchema({
      phase: field(nullish(text()), "Phase of the save: `start` or `done`."),
      durationMs: field(
        nullish(largeCount()),
        "Duration of the save in milliseconds. Null in the phase `start`.",
      ),
      items,
      mobiles,
    }),
    {
      about: "The game server began to save its world (`start`), or has saved it (`done`).",
      example: { phase: "done", durationMs: 4_310, items: 412_000, mobiles: 38_000 },
    },
  ),
  "server.heartbeat": defineStaffKind(
    objectSchema({
      online: field(nullish(count()), "Number of characters in the world."),
      items,
      mobiles,
      guilds: field(nullish(count()), "Number of guilds."),
      memBytes: field(nullish(largeCount()), "Memory that the game process uses, in bytes."),
      cpu: field(
        nullish(Joi.number()),
        "Share of the processor time that the game process uses, from 0 to 1.",
      ),
      uptimeMs,
    }),
    {
      about: "Reports figures of the game process. Send it about once a minute.",
      example: {
        online: 120,
        items: 412_000,
        mobiles: 38_000,
        guilds: 41,
        memBytes: 5_200_000_000,
        cpu: 0.37,
        uptimeMs: 3_000_000_000,
      },
    },
  ),
};
