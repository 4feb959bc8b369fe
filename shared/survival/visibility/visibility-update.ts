import Joi from "joi";

import { audienceLadder, isInAudience, type Rung } from "../../platform/access/roles.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import {
  minLayerAudiences,
  type MapLayer,
  mapLayers,
  singleAudiences,
  type SurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "./visibility.ts";

type NullableFields<T> = { readonly [Key in keyof T]?: T[Key] | null };

interface MonumentChange {
  readonly label: string;
  readonly shown: boolean | null;
}

interface SurvivalVisibilityChange extends NullableFields<
  Omit<SurvivalVisibility, "liveMap" | "layers">
> {
  readonly liveMap?: NullableFields<SurvivalVisibility["liveMap"]> | null;
  readonly layers?: NullableFields<SurvivalVisibility["layers"]> | null;
  readonly monuments?: readonly MonumentChange[] | null;
}

/**
 * Applies an update to the stored settings and returns the settings to store. Absent keys stay; null resets a key
 * or section to its default.
 * @param seenLabels labels of monuments on any map
 * @throws AppError naming every unknown key, access level and label, and each layer below its minimum; then
 * nothing is changed
 */
export function checkSurvivalVisibilityUpdate(
  update: unknown,
  stored: SurvivalVisibilityOverrides,
  seenLabels: ReadonlySet<string>,
): SurvivalVisibilityOverrides {
  const { value, error } = survivalVisibilityUpdateSchema.validate(update, {
    abortEarly: false,
    convert: false,
    context: { seenLabels },
    errors: { label: "path", wrap: { label: false } },
  });
  if (error) {
    throw invalidFieldsError(
      error.details.map(({ path, message }) => ({ path: path.join("."), message })),
    );
  }
  return applyChange(stored, value);
}

const rung = Joi.valid(...audienceLadder, null);

const rungFrom = (floor: Rung): Joi.Schema =>
  Joi.valid(...audienceLadder.filter((candidate) => isInAudience(candidate, floor)), null);

const layers = Object.fromEntries(
  mapLayers.map((layer) => [layer, rungFrom(minLayerAudiences[layer])]),
);

const label = Joi.string()
  .max(128)
  .required()
  .custom((given: string, helpers) => {
    const seen = helpers.prefs.context?.["seenLabels"] as ReadonlySet<string> | undefined;
    return seen && !seen.has(given) ? helpers.error("monument.unseen") : given;
  })
  .messages({ "monument.unseen": "{{#label}} is not the label of a monument on a map" });

/** Schema of an update. It checks labels if the context contains the known labels. */
export const survivalVisibilityUpdateSchema = Joi.object<SurvivalVisibilityChange>({
  ...Object.fromEntries(singleAudiences.map((name) => [name, rung])),
  liveMap: Joi.object({
    card: Joi.boolean()
      .allow(null)
      .description("Whether callers below the audience `staff` can use the live map."),
    audience: rung,
  }).allow(null),
  layers: Joi.object(layers)
    .allow(null)
    .description(
      "Audience of each map layer. The audience of `players` and `bases` must be at least " +
        "`staff`.",
    ),
  monuments: Joi.array()
    .items(Joi.object({ label, shown: Joi.boolean().allow(null).required() }))
    .unique("label")
    .max(1_000)
    .allow(null)
    .description("Labels of monuments that the maps show or hide. Null shows all monuments."),
}).required();

function applyChange(
  stored: SurvivalVisibilityOverrides,
  { liveMap, layers: changed, monuments, ...audiences }: SurvivalVisibilityChange,
): SurvivalVisibilityOverrides {
  const { liveMap: card = {}, layers: rungs = {}, monuments: labels = {}, ...kept } = stored;
  return removeEmpty({
    ...mergeSettings(kept, audiences),
    liveMap: mergeSettings(card, liveMap),
    layers: mergeSettings<Partial<Record<MapLayer, Rung>>>(rungs, changed),
    monuments: mergeSettings(labels, monuments && byLabel(monuments)),
  });
}

/** Stores only hidden labels: monuments are visible by default. */
const byLabel = (monuments: readonly MonumentChange[]): NullableFields<Record<string, boolean>> =>
  Object.fromEntries(
    monuments.map(({ label: name, shown }) => [name, shown === false ? false : null]),
  );

function mergeSettings<T extends object>(
  stored: T,
  change: NullableFields<T> | null | undefined,
): T {
  if (change === null) return {} as T;
  const entries = Object.entries({ ...stored, ...change });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null && value !== undefined),
  ) as T;
}

const removeEmpty = (overrides: SurvivalVisibilityOverrides): SurvivalVisibilityOverrides =>
  Object.fromEntries(
    Object.entries(overrides).filter(
      ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
    ),
  );
