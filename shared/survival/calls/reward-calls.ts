import Joi from "joi";

import {
  type Participant,
  type ParticipationMethod,
  participationMethods,
} from "../../../models/survival/players/survival-participation.ts";
import { declareCommand } from "../../platform/bridge/calls/call.ts";
import { count, field, objectSchema, text } from "../../platform/bridge/payload-fields.ts";
import { decimal, instantMs, playerFields, playerListSchema } from "../kinds/fields.ts";

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

/** Lets a player take a kit. Repeated calls for one entitlement have no further effect. */
export const entitleKitCall = declareCommand<{ readonly state: string }, { body: KitOrder }>({
  method: "POST",
  path: "/v1/kits/entitle",
  answer: objectSchema({ state: field(text(32), "State of the entitlement: always `delivered`.") }),
  timeoutMs: callMs,
  docs: {
    about:
      "Let a player take a kit. Grant each entitlement only once, even if the same " +
      "`entitlementId` arrives again with another idempotency key. If the kit does not exist, " +
      "answer 422 `UNSUPPORTED`.",
    body: objectSchema({
      entitlementId: field(
        count(),
        "Id of the entitlement. Send it back as `entitlementId` in `kit.redeemed`.",
      ),
      steamId: playerFields.steamId,
      kit: field(text(128), "Name of the kit."),
      uses: field(count(), "Number of times that the player may take the kit."),
      expiresAt: field(
        instantMs().optional(),
        "When the entitlement ends, in epoch milliseconds. Absent if it has no end.",
      ),
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

export const openParticipationCall = declareCommand<object, { body: ParticipationOrder }>({
  method: "POST",
  path: "/v1/participation/open",
  answer: objectSchema({}),
  timeoutMs: callMs,
  docs: {
    about:
      "Begin to count which players take part, in the way that `method` names. Send the state " +
      "`participation.joined` once for each player who takes part. If the participation is " +
      "already open, it stays open.",
    body: objectSchema({
      participationId: field(count(), "Id of the participation."),
      method: field(
        Joi.string().valid(...participationMethods),
        "How players take part: they are in a zone (`zone`), use a command (`command`), or " +
          "damage or kill NPCs of a profile (`damage`, `kill`).",
      ),
      zoneId: field(
        text(80).optional(),
        "Id of the zone in the game. Absent unless `method` is `zone`.",
      ),
      profile: field(
        text(64).optional(),
        "Key of the NPC profile. Absent unless `method` is `damage` or `kill`.",
      ),
      ttlSec: field(count(), "Number of seconds after which the counting ends automatically."),
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

/** Ends the counting of participants. A repeated call returns the same participants. */
export const collectParticipationCall = declareCommand<
  Members,
  { params: { readonly id: string } }
>({
  method: "POST",
  path: "/v1/participation/:id/collect",
  answer: objectSchema({
    // Participants without a Steam account are possible: an NPC may damage another NPC.
    members: field(
      playerListSchema({
        name: playerFields.name,
        firstAt: field(instantMs(), "When the player first took part, in epoch milliseconds."),
        lastAt: field(instantMs(), "When the player last took part, in epoch milliseconds."),
        score: field(
          decimal(),
          "Result of the player: the number of seconds, uses, points of damage or kills, " +
            "depending on `method`.",
        ),
      }).max(10_000),
      "Players who took part, at most 10,000.",
    ),
  }),
  timeoutMs: callMs,
  docs: {
    about:
      "End the counting, and return the players who took part. If the call is repeated, return " +
      "the same players.",
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
