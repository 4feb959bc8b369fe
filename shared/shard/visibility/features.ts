import type { Rung } from "../../platform/access/roles.ts";

/** What an admin may set of a feature; who reaches what follows from it. */
export interface FeatureVisibility {
  readonly enabled: boolean;
  /** The lowest rung that reaches the feature. */
  readonly audience: Rung;
  /** Whether the feature's kinds of event go out on the public stream. */
  readonly stream: boolean;
  /** The lowest rung that sees a field; what is gated is left out of the answer. */
  readonly fieldRules: Readonly<Record<string, Rung>>;
}

const streamed = { enabled: true, audience: "anonymous", stream: true, fieldRules: {} } as const;
const unstreamed = { ...streamed, stream: false } as const;

/**
 * CATALOGUE of the shard's features with their compiled defaults.
 * The keys of `fieldRules` are the only fields a rule may gate. Which kinds carry a gated field, and
 * under which name, is said by `gated()` in their views (kinds/); reads say it in their own.
 */
export const features = {
  status: streamed,
  online: streamed,
  presence: { ...streamed, fieldRules: { byRegion: "anonymous" } },
  houses: { ...streamed, fieldRules: { name: "anonymous", region: "anonymous" } },
  leaderboards: { ...streamed, fieldRules: { name: "anonymous" } },
  ruleset: streamed,
  market: {
    ...unstreamed,
    fieldRules: { location: "anonymous", ownerSerial: "anonymous", ownerName: "anonymous" },
  },
  atlas: unstreamed,
  champions: { ...streamed, fieldRules: { damagers: "anonymous" } },
  governors: streamed,
  guilds: { ...streamed, fieldRules: { members: "logged_in" } },
  deeds: { ...streamed, audience: "logged_in", fieldRules: { location: "staff" } },
  announcements: streamed,
} as const satisfies Readonly<Record<string, FeatureVisibility>>;

export type Feature = keyof typeof features;

export const featureNames = Object.keys(features) as Feature[];

/** Fields that are for admins always: no rule may name them. */
export const lockedFields = ["acct", "webId"] as const;
