import type { Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { audienceLadder, isInAudience, type Rung } from "../../platform/access/roles.ts";
import { hashContent } from "../../platform/base-revision.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  type Feature,
  featureNames,
  features,
  type FeatureVisibility,
  adminOnlyFields,
} from "./features.ts";
import type { FieldAccessCheck } from "./view.ts";

/** The current settings: the defaults, changed by the stored overrides. */
export type Visibility = Readonly<Record<Feature, FeatureVisibility>>;

/** The settings that an admin has changed for one feature. */
export type FeatureOverride = Partial<FeatureVisibility>;

export type VisibilityOverrides = { readonly [Name in Feature]?: FeatureOverride };

export interface VisibilityConfig {
  readonly ladder: readonly Rung[];
  readonly lockedFields: readonly string[];
  readonly defaults: Visibility;
  readonly features: Visibility;
  readonly revision: string;
}

/** `disabled`: hidden from everyone, also from staff. `gated`: the caller needs a higher access level. */
export type FeatureAccess = "open" | "gated" | "disabled";

/**
 * Merges stored overrides into the defaults. Features, levels and fields that this release does not know are
 * ignored, so that an old row makes nothing visible.
 */
export function mergeVisibility(overrides: VisibilityOverrides): Visibility {
  const merged = featureNames.map((name) => [name, mergeFeature(name, overrides[name] ?? {})]);
  return Object.fromEntries(merged) as Visibility;
}

export function findFeatureAccess(
  visibility: Visibility,
  feature: Feature,
  rung: Rung,
): FeatureAccess {
  const { enabled, audience } = visibility[feature];
  if (!enabled) return "disabled";
  return isInAudience(rung, audience) ? "open" : "gated";
}

/** Returns true if the access level may see a field of a visible feature; false for unknown fields. */
export function maySeeField(
  visibility: Visibility,
  feature: Feature,
  field: string,
  rung: Rung,
): boolean {
  if (isLocked(field)) return rung === "admin";
  const rules = visibility[feature].fieldRules;
  const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
  return rule !== undefined && isInAudience(rung, rule);
}

export const createFieldCheck =
  (visibility: Visibility, feature: Feature, rung: Rung): FieldAccessCheck =>
  (field) =>
    maySeeField(visibility, feature, field, rung);

/** Returns the features that an access level may see, in the catalog's order. */
export const reachableFeatures = (visibility: Visibility, rung: Rung): Feature[] =>
  featureNames.filter((feature) => findFeatureAccess(visibility, feature, rung) === "open");

export function visibilityConfig(overrides: VisibilityOverrides): VisibilityConfig {
  const merged = mergeVisibility(overrides);
  return {
    ladder: audienceLadder,
    lockedFields: adminOnlyFields,
    defaults: features,
    features: merged,
    revision: hashContent(merged),
  };
}

const isLocked = (field: string): boolean => adminOnlyFields.some((locked) => locked === field);

const knownRung = (rung: Rung | undefined, byDefault: Rung): Rung =>
  rung !== undefined && audienceLadder.includes(rung) ? rung : byDefault;

function mergeFeature(name: Feature, override: FeatureOverride): FeatureVisibility {
  const standard: FeatureVisibility = features[name];
  const rules = Object.entries(standard.fieldRules).map(([field, rung]) => [
    field,
    knownRung(override.fieldRules?.[field], rung),
  ]);
  return {
    enabled: override.enabled ?? standard.enabled,
    audience: knownRung(override.audience, standard.audience),
    stream: override.stream ?? standard.stream,
    fieldRules: Object.fromEntries(rules) as Record<string, Rung>,
  };
}

export async function readVisibilityOverrides(
  { FeatureVisibility }: Models,
  transaction?: Transaction,
): Promise<VisibilityOverrides> {
  const stored = await FeatureVisibility.findAll({
    raw: true,
    ...(transaction && { transaction }),
  });
  return Object.fromEntries(stored.map(({ feature, override }) => [feature, override]));
}

/** Replaces the stored overrides and notifies every process. */
export async function writeVisibilityOverrides(
  { FeatureVisibility }: Models,
  overrides: VisibilityOverrides,
  transaction: Transaction,
): Promise<void> {
  const changed = Object.entries(overrides);
  await FeatureVisibility.destroy({ where: {}, transaction });
  await FeatureVisibility.bulkCreate(
    changed.map(([feature, override]) => ({ feature, override: { ...override } })),
    { transaction },
  );
  await notify("visibility", {}, transaction);
}
