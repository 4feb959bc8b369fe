import Joi from "joi";

import { audienceLadder, type Rung } from "../../platform/access/roles.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { type Feature, featureNames, features, adminOnlyFields } from "./features.ts";
import type { FeatureOverride, VisibilityOverrides } from "./visibility.ts";

type PartialUpdate<T> = { readonly [Key in keyof T]?: T[Key] | null };

interface FeatureUpdate extends PartialUpdate<Omit<FeatureOverride, "fieldRules">> {
  readonly fieldRules?: PartialUpdate<Readonly<Record<string, Rung>>> | null;
}

type FeatureUpdates = { readonly [Name in Feature]?: FeatureUpdate | null };

/**
 * Merges an update into the stored overrides. Absent keys stay; null resets a key or a feature.
 * @throws AppError naming each unknown feature, key, access level and field, and each locked field. An
 * update with an error changes nothing.
 */
export function checkVisibilityUpdate(
  update: unknown,
  stored: VisibilityOverrides,
): VisibilityOverrides {
  const { value, error } = updateSchema.validate(update, {
    abortEarly: false,
    convert: false,
    errors: { label: "path", wrap: { label: false } },
  });
  if (error) {
    throw invalidFieldsError(
      error.details.map(({ path, message }) => ({ path: path.join("."), message })),
    );
  }
  const next = featureNames.map((name) => [name, applyUpdate(stored[name], value.features[name])]);
  return Object.fromEntries(next.filter(([, override]) => override !== undefined)) as object;
}

const rung = Joi.valid(...audienceLadder, null);

const locked = Joi.forbidden().messages({
  "any.unknown": "{{#label}} cannot be changed: only administrators see it",
});

const rulesOf = (feature: Feature): Joi.ObjectSchema =>
  Joi.object({
    ...Object.fromEntries(adminOnlyFields.map((field) => [field, locked])),
    ...Object.fromEntries(Object.keys(features[feature].fieldRules).map((field) => [field, rung])),
  });

const updateSchemaOf = (feature: Feature): Joi.ObjectSchema =>
  Joi.object({
    enabled: Joi.boolean().allow(null),
    audience: rung,
    stream: Joi.boolean().allow(null),
    fieldRules: rulesOf(feature).allow(null),
  }).allow(null);

export const featureUpdateSchemas = Joi.object<FeatureUpdates>(
  Object.fromEntries(featureNames.map((feature) => [feature, updateSchemaOf(feature)])),
);

const updateSchema = Joi.object<{ features: FeatureUpdates }>({
  features: featureUpdateSchemas.required(),
})
  .unknown()
  .required();

function applyUpdate(
  stored: FeatureOverride | undefined,
  change: FeatureUpdate | null | undefined,
): FeatureOverride | undefined {
  if (change === undefined) return stored;
  if (change === null) return undefined;
  const fieldRules =
    change.fieldRules === null ? {} : withoutNulls({ ...stored?.fieldRules, ...change.fieldRules });
  const { fieldRules: _, ...keys } = { ...stored, ...change };
  const next = { ...withoutNulls(keys), ...(isEmpty(fieldRules) ? {} : { fieldRules }) };
  return isEmpty(next) ? undefined : (next as FeatureOverride);
}

const withoutNulls = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;
