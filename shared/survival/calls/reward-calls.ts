import Joi from "joi";

import {
  type Participant,
  type ParticipationMethod,
  participationMethods,
} from "../../../models/survival/survival-participation.ts";
import { command } from "../../bridge/call.ts";
import { count, field, shape, text } from "../../bridge/payload-fields.ts";
import { decimal, instantMs, playerFields, playersWith } from "../kinds/fields.ts";

interface KitOrder {
  readonly entitlementId: number;
  readonly steamId: string;
  readonly kit: string;
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

const callMs = 8_000;
const exampleTime = 1_764_200_000_000;
const anna = { steamId: "76561198000000001", name: "Anna" };

/** Lets a player take a kit; one entitlement is given once, however often it is sent. */
export const entitleCall = command<{ readonly state: string }, { body: KitOrder }>({
  method: "POST",
  path: "/v1/kits/entitle",
  answer: shape({ state: field(text(32), "State of the entitlement: `delivered`.") }),
  timeoutMs: callMs,
  docs: {
    about:
      "Let a player take a kit. Give an entitlement once, however often it comes and under " +
      "whatever key. Answer 422 `UNSUPPORTED` for a kit that does not exist.",
    body: shape({
      entitlementId: field(count(), "Id of the entitlement, which `kit.redeemed` names."),
      steamId: playerFields.steamId,
      kit: field(text(128), "Name of the kit."),
      uses: field(count(), "How often the player may take it."),
      expiresAt: field(instantMs().optional(), "When it ends, in epoch milliseconds."),
    }),
    example: {
      body: { entitlementId: 31, steamId: anna.steamId, kit: "boss-kit", uses: 1 },
      answer: { state: "delivered" },
    },
  },
});

interface ParticipationOrder {
  readonly participationId: number;
  readonly method: ParticipationMethod;
  readonly zoneId?: string;
  readonly profile?: string;
  readonly ttlSec: number;
}

export const openParticipationCall = command<object, { body: ParticipationOrder }>({
  method: "POST",
  path: "/v1/participation/open",
  answer: shape({}),
  timeoutMs: callMs,
  docs: {
    about:
      "Count who takes part: who is in a zone, uses a command, damages or kills NPCs of a profile. " +
      "Send `participation.joined` for each player once. One that is open already stays open.",
    body: shape({
      participationId: field(count(), "Id of the participation."),
      method: field(Joi.string().valid(...participationMethods), "How players take part."),
      zoneId: field(text(80).optional(), "Zone in the game, with `zone`."),
      profile: field(text(64).optional(), "Key of the NPC profile, with `damage` and `kill`."),
      ttlSec: field(count(), "Seconds until the counting ends by itself."),
    }),
    example: {
      body: { participationId: 12, method: "damage", profile: "forest-boss", ttlSec: 3_600 },
      answer: {},
    },
  },
});

interface Members {
  readonly members: readonly Participant[];
}

/** Ends the counting; asked again, the game answers the same set. */
export const collectCall = command<Members, { params: { readonly id: string } }>({
  method: "POST",
  path: "/v1/participation/:id/collect",
  answer: shape({
    // What has no Steam account may take part as well, an NPC that hurts another for one.
    members: field(
      playersWith({
        name: playerFields.name,
        firstAt: field(instantMs(), "When the player began, in epoch milliseconds."),
        lastAt: field(instantMs(), "When the player was last seen, in epoch milliseconds."),
        score: field(decimal(), "What was counted: seconds, uses, damage or kills."),
      }).max(10_000),
      "Players who took part, at most 10,000.",
    ),
  }),
  timeoutMs: callMs,
  docs: {
    about: "End the counting and tell who took part. Asked again, tell the same players.",
    params: { id: "Id of the participation." },
    codes: ["NOT_FOUND"],
    example: {
      params: { id: "12" },
      answer: {
        members: [{ ...anna, firstAt: exampleTime - 900_000, lastAt: exampleTime, score: 3_200 }],
      },
    },
  },
});
