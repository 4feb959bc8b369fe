import Joi from "joi";

import {
  count,
  field,
  flag,
  listOf,
  nullish,
  objectSchema,
  text,
  rawText,
} from "../../platform/bridge/payload-fields.ts";
import { playerAnna, exampleTime, minuteMs } from "./example-world.ts";
import { instantMs, playerFields } from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const runId = field(
  nullish(count()),
  "Id of the run of the site's scheduled event that opened the zone: `runId` of the call that " +
    "opened it. Null if no run opened the zone.",
);
const at = field(instantMs(), "When the event happened, in epoch milliseconds.");
const configHash = "as SHA-256 in hexadecimal.";

/** Kinds of frames about the end of objects that the site created in the world. */
export const leaseKinds = {
  "world.expired": defineEvent(
    "staff",
    objectSchema({
      what: field(
        Joi.string().valid("zone", "npc", "placement", "participation", "kit", "grant"),
        "Type of the object that no longer exists.",
      ),
      ref: field(
        text(128),
        "Id by which the site knows the object, such as `leaseId` of a zone, the name of a " +
          "placement, `participationId` or `entitlementId`.",
      ),
      reason: field(
        Joi.string().valid("wipe", "boot", "timeout", "removed"),
        "Why the object no longer exists: a wipe, a restart of the game (`boot`), the end of its " +
          "time (`timeout`), or a removal in the game (`removed`).",
      ),
      at,
    }),
    {
      about: "An object that the site created in the world no longer exists.",
      example: { what: "placement", ref: "Dome boss", reason: "wipe", at: exampleTime },
      keyedWith: "at",
    },
  ),
  "lease.expired": defineEvent(
    "staff",
    objectSchema({
      leaseId: field(text(64), "Id of the lease: `leaseId` of the call that opened the object."),
      what: field(text(32), "Type of the object that was leased, such as `zone`."),
      ref: field(
        text(128),
        "Id of the object in the game, such as `zoneId` of the call that opened a zone.",
      ),
      openedAt: field(nullish(instantMs()), "When the object was opened, in epoch milliseconds."),
      leaseUntil: field(nullish(instantMs()), "When the lease ended, in epoch milliseconds."),
      runId,
    }),
    {
      about:
        "The game closed a zone because its lease ended without a renewal by the site. After a " +
        "start of the game, send it for each zone whose lease ended while the game did not run.",
      example: {
        leaseId: "7c1f2a30-6f0a-4c43-9d0e-5b9d3c7e1a44",
        what: "zone",
        ref: "site-7c1f2a30-6f0a-4c43-9d0e-5b9d3c7e1a44",
        openedAt: exampleTime - 30 * minuteMs,
        leaseUntil: exampleTime,
        runId: 7,
      },
      capability: "zones",
    },
  ),
  "config.outcome": defineEvent(
    "staff",
    objectSchema({
      writeId: field(text(64), "Id of the write: `writeId` of the call that requested the write."),
      plugin: field(text(128), "Name of the plugin to which the file belongs."),
      ok: field(flag(), "Whether the file was written and the plugin runs with the new file."),
      phase: field(
        Joi.string().valid("write", "unload", "load"),
        "Phase in which the write ended: the last phase, or the phase that failed.",
      ),
      // Cut a long message, because refusing the whole outcome would mark the write as lost.
      message: field(
        nullish(rawText()),
        "Why the write failed. The site makes secrets in it unreadable and keeps 2,000 characters.",
      ),
      beforeHash: field(nullish(text(64)), `Hash of the file before the write, ${configHash}`),
      afterHash: field(nullish(text(64)), `Hash of the file after the write, ${configHash}`),
      rolledBack: field(nullish(flag()), "Whether the previous file was restored."),
      logTail: field(
        nullish(listOf(rawText())),
        "Last lines of the console about the plugin. The site stores the last 200 lines.",
      ),
    }),
    {
      about:
        "Reports the outcome of `PUT /v1/config/:plugin`: whether the file was written and loaded.",
      example: {
        writeId: "3f1c9a52-0a51-4a0e-8d5f-7f3f4f0f6d11",
        plugin: "Kits",
        ok: true,
        phase: "load",
        message: null,
        beforeHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        afterHash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
        rolledBack: false,
        logTail: ["Loaded plugin Kits v4.0.12"],
      },
      capability: "config",
      unstored: ["message", "logTail"],
    },
  ),
  "participation.joined": defineState(
    objectSchema({
      participationId: field(
        count(),
        "Id of the participation: `participationId` of the call that opened it.",
      ),
      ...playerFields,
      at,
    }),
    {
      about:
        "A player took part for the first time in a participation that `POST " +
        "/v1/participation/open` opened.",
      example: { participationId: 12, ...playerAnna, at: exampleTime },
      capability: "participation",
    },
  ),
  "kit.redeemed": defineState(
    objectSchema({
      entitlementId: field(
        nullish(count()),
        "Id of the entitlement: `entitlementId` of `POST /v1/kits/entitle`. Null if the site did " +
          "not grant the kit.",
      ),
      steamId: playerFields.steamId,
      kit: field(text(128), "Name of the kit."),
      at,
    }),
    {
      about: "A player redeemed a kit.",
      example: { entitlementId: 31, steamId: playerAnna.steamId, kit: "boss-kit", at: exampleTime },
      capability: "kits",
    },
  ),
};
