import Joi from "joi";

import {
  count,
  field,
  flag,
  listOf,
  maybe,
  shape,
  text,
  unreadText,
} from "../../bridge/payload-fields.ts";
import { anna, exampleTime, minuteMs } from "./example-world.ts";
import { instantMs, playerFields } from "./fields.ts";
import { happening, standing } from "./kind.ts";

const runId = field(maybe(count()), "Run of an event of the site, as the call named it.");
const at = field(instantMs(), "When it happened, in epoch milliseconds.");
const configHash = "as SHA-256 in hexadecimal.";

/** What became of the changes that the site made in the world. */
export const leaseKinds = {
  "world.expired": happening(
    "staff",
    shape({
      what: field(
        Joi.string().valid("zone", "npc", "placement", "participation", "kit", "grant"),
        "What is gone.",
      ),
      ref: field(text(128), "Id or name by which the site knows it, such as a `leaseId`."),
      reason: field(Joi.string().valid("wipe", "boot", "timeout", "removed"), "Why it is gone."),
      at,
    }),
    {
      about: "Something that the site made in the world is gone.",
      example: { what: "placement", ref: "Dome boss", reason: "wipe", at: exampleTime },
      keyedWith: "at",
    },
  ),
  "lease.expired": happening(
    "staff",
    shape({
      leaseId: field(text(64), "Id of the lease, as the call named it."),
      what: field(text(32), "What was leased, such as `zone`."),
      ref: field(text(128), "Id of it in the game, as the call named it."),
      openedAt: field(maybe(instantMs()), "When it was opened, in epoch milliseconds."),
      leaseUntil: field(maybe(instantMs()), "When the lease ended, in epoch milliseconds."),
      runId,
    }),
    {
      about:
        "A zone was closed because its time was over and the site did not renew it. After a start, " +
        "send it for zones that ended while the game was down.",
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
  "config.outcome": happening(
    "staff",
    shape({
      writeId: field(text(64), "Id of the write, as the call named it."),
      plugin: field(text(128), "Name of the plugin."),
      ok: field(flag(), "Whether the file was written and the plugin runs with it."),
      phase: field(
        Joi.string().valid("write", "unload", "load"),
        "Phase that ended the work: the last one, or the one that failed.",
      ),
      // What is too long is cut when it is kept: refused, the write would count as lost.
      message: field(maybe(unreadText()), "Why it failed. The site covers secrets in it."),
      beforeHash: field(maybe(text(64)), `File before the write, ${configHash}`),
      afterHash: field(maybe(text(64)), `File after the write, ${configHash}`),
      rolledBack: field(maybe(flag()), "Whether the file from before was restored."),
      logTail: field(
        maybe(listOf(unreadText())),
        "Last lines of the console about the plugin, at most 200.",
      ),
    }),
    {
      about: "A file that `PUT /v1/config/:plugin` brought was written, or could not be.",
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
  "participation.joined": standing(
    shape({
      participationId: field(count(), "Id of the participation, as the call named it."),
      ...playerFields,
      at,
    }),
    {
      about: "A player took part in what `POST /v1/participation/open` counts, for the first time.",
      example: { participationId: 12, ...anna, at: exampleTime },
      capability: "participation",
    },
  ),
  "kit.redeemed": standing(
    shape({
      entitlementId: field(
        maybe(count()),
        "Id of the entitlement, as the call named it. Null for a kit that the site did not give.",
      ),
      steamId: playerFields.steamId,
      kit: field(text(128), "Name of the kit."),
      at,
    }),
    {
      about: "A player took a kit.",
      example: { entitlementId: 31, steamId: anna.steamId, kit: "boss-kit", at: exampleTime },
      capability: "kits",
    },
  ),
};
