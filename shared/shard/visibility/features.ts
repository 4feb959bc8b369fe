import type { Rung } from "../../platform/access/roles.ts";

export interface FeatureVisibility {
  readonly enabled: boolean;
  /** The lowest access level that may see the feature. */
  readonly audience: Rung;
  /** True if the public stream carries the feature's events. */
  readonly stream: boolean;
  /** The lowest access level that may see each field. A hidden field is left out of the answer. */
  readonly fieldRules: Readonly<Record<string, Rung>>;
}

const streamed = { enabled: true, audience: "anonymous", stream: true, fieldRules: {} } as const;
const unstreamed = { ...streamed, stream: false } as const;

/**
 * CATALOGUE of the shard's features with their default settings. A rule can hide only the fields in `fieldRules`.
 * The views of events in kinds/ mark these fields with `gatedView` and the name of the rule. The functions in
 * public/, which read stored data, have views of their own.
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

/** Fields that only admins ever see; no rule may name them. */
export const adminOnlyFields = ["acct", "webId"] as const;
