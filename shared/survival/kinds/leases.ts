import Joi from "joi";

import {
  count,
  flag,
  listOf,
  maybe,
  shape,
  text,
  unreadText,
} from "../../bridge/payload-fields.ts";
import { gameName, instantMs, steamId } from "./fields.ts";
import { happening, standing } from "./kind.ts";

/** What became of the changes that the site made in the world. */
export const leaseKinds = {
  "world.expired": happening(
    "staff",
    shape({
      what: Joi.string().valid("zone", "npc", "placement", "participation", "kit", "grant"),
      ref: text(128),
      reason: Joi.string().valid("wipe", "boot", "timeout", "removed"),
      at: instantMs(),
    }),
    { keyedWith: "at" },
  ),
  "lease.expired": happening(
    "staff",
    shape({
      leaseId: text(64),
      what: text(32),
      ref: text(128),
      openedAt: maybe(instantMs()),
      leaseUntil: maybe(instantMs()),
      runId: maybe(count()),
    }),
  ),
  "config.outcome": happening(
    "staff",
    shape({
      writeId: text(64),
      plugin: text(128),
      ok: flag(),
      phase: Joi.string().valid("write", "unload", "load"),
      // What is too long is cut when it is kept: refused, the write would count as lost.
      message: maybe(unreadText()),
      beforeHash: maybe(text(64)),
      afterHash: maybe(text(64)),
      rolledBack: maybe(flag()),
      logTail: maybe(listOf(unreadText())),
    }),
    { unstored: ["message", "logTail"] },
  ),
  "participation.joined": standing(
    shape({ participationId: count(), steamId: steamId(), name: gameName(), at: instantMs() }),
  ),
  "kit.redeemed": standing(
    shape({
      entitlementId: maybe(count()),
      steamId: steamId(),
      kit: text(128),
      at: instantMs(),
    }),
  ),
};
