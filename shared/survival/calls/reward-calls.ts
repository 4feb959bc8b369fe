import type {
  Participant,
  ParticipationMethod,
} from "../../../models/survival/survival-participation.ts";
import { command } from "../../bridge/call.ts";
import { shape, text } from "../../bridge/payload-fields.ts";
import { decimal, gameName, instantMs, playersWith } from "../kinds/fields.ts";

interface KitOrder {
  readonly entitlementId: number;
  readonly steamId: string;
  readonly kit: string;
  readonly uses: number;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

const callMs = 8_000;

/** Lets a player take a kit; one entitlement is given once, however often it is sent. */
export const entitleCall = command<{ readonly state: string }, { body: KitOrder }>({
  method: "POST",
  path: "/v1/kits/entitle",
  answer: shape({ state: text(32) }),
  timeoutMs: callMs,
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
    members: playersWith({
      name: gameName(),
      firstAt: instantMs(),
      lastAt: instantMs(),
      score: decimal(),
    }).max(10_000),
  }),
  timeoutMs: callMs,
});
