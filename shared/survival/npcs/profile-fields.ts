import Joi from "joi";

import { stringifyLongInteger } from "../../platform/bridge/json-text.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { nameTextField } from "../../platform/texts/visible-text.ts";

/** Identifies a profile on all game servers. NPC plugins remove spaces from names. */
export const profileKeyPattern = /^[a-z0-9][a-z0-9_-]{1,47}$/;

export const factionPattern = /^[a-z0-9][a-z0-9_-]{0,47}$/;

const number = (min: number, max: number) => Joi.number().min(min).max(max);
const scale = number(0, 100);
const percent = number(0, 100);
/** Distances in meters. Maps are at most six kilometers wide. */
const meters = number(0, 10_000);

const shortName = nameTextField(64)
  .pattern(/^[a-z0-9][a-z0-9._-]*$/, "short name of an item")
  .required()
  .example("rifle.ak");
const skinId = Joi.string()
  .pattern(/^\d{1,20}$/, "skin id")
  .description("Id of the item's skin: a 64-bit number as a string. `0` for no skin.");

/** Appearance, combat and loot of one type of NPC, as the site stores it. */
export interface ProfileDocument {
  readonly displayName: string;
  readonly names: readonly string[];
  readonly faction: string | null;
  readonly health: number;
  readonly kit: string | null;
  readonly kits: readonly string[];
  readonly wearItems: readonly object[];
  readonly beltItems: readonly object[];
  readonly behaviour: Readonly<Record<string, boolean>>;
  readonly death: Readonly<Record<string, number | string | null>>;
  readonly boss: boolean;
  readonly healthSteps: readonly number[];
  readonly ranked: boolean;
  readonly [field: string]: unknown;
}

/** Fields of a profile. Omitted fields keep their values, or get the plugin's defaults on creation. */
export type ProfileChange = Partial<ProfileDocument>;

const behaviour = Joi.object({
  hostileOnly: Joi.boolean().description(
    "Whether the NPC attacks only players whom the game marks as hostile.",
  ),
  ignoreSleepers: Joi.boolean(),
  ignoreWounded: Joi.boolean(),
  ignoreSafeZone: Joi.boolean().description(
    "Whether the NPC never attacks players who are in safe zones.",
  ),
  peacekeeper: Joi.boolean(),
  respectSafeZones: Joi.boolean().description("Whether the NPC never enters safe zones."),
  targetAnimals: Joi.boolean(),
  instantHeadshotDeath: Joi.boolean(),
});

const death = Joi.object({
  dropWeaponPct: percent.description(
    "Chance in percent that the NPC drops its weapon when it dies.",
  ),
  wipeBeltPct: percent.description(
    "Chance in percent that the belt items are removed from the corpse.",
  ),
  wipeClothingPct: percent.description(
    "Chance in percent that the clothing is removed from the corpse.",
  ),
  rustLootPct: percent.description(
    "Chance in percent that the game's own loot is added to the corpse.",
  ),
  lootSource: nameTextField(64)
    .allow(null)
    .description(
      "Name of a loot table of the game, from which the corpse is filled. With null, the corpse " +
        "contains the NPC's own loot.",
    ),
  lockedCratePct: percent.description(
    "Chance in percent that the NPC drops a locked crate when it dies.",
  ),
  corpseMin: number(0, 1_440).description("Number of minutes until the corpse disappears."),
});

/** The fields of a profile except its key, all optional. */
export const profileFields = {
  displayName: nameTextField(64).example("Forest boss"),
  names: Joi.array()
    .items(nameTextField(64))
    .max(64)
    .description("Names of NPCs. Each NPC receives one of these names at random."),
  faction: Joi.string()
    .pattern(factionPattern, "faction")
    .allow(null)
    .description(
      "Name of the faction to which the NPCs belong, as in the faction table. Null for none.",
    ),
  health: number(1, 100_000),
  kit: nameTextField(64).allow(null),
  kits: Joi.array()
    .items(nameTextField(64))
    .max(32)
    .description("Names of kits. Each NPC receives one of these kits at random."),
  wearItems: Joi.array()
    .items(Joi.object({ shortName, skinId: skinId.default("0") }))
    .max(32),
  beltItems: Joi.array()
    .items(
      Joi.object({
        shortName,
        amount: Joi.number().integer().min(1).max(1_000_000).default(1),
        skinId: skinId.default("0"),
        mods: Joi.array().items(nameTextField(64)).max(16).default([]),
        ammo: nameTextField(64).allow(null).default(null),
      }),
    )
    .max(32),
  roamRange: meters,
  chaseRange: meters,
  senseRange: meters,
  listenRange: meters,
  memorySec: number(0, 86_400),
  attackRangeMultiplier: scale,
  aimConeScale: scale,
  damageScale: scale,
  turretDamageScale: scale,
  headScale: scale,
  bodyScale: scale,
  legScale: scale,
  meleeScale: scale,
  checkVisionCone: Joi.boolean(),
  visionCone: number(20, 180).description("Width of the NPC's field of view in degrees."),
  speed: number(0, 25),
  stationary: Joi.boolean(),
  canSwim: Joi.boolean(),
  canSleep: Joi.boolean(),
  sleepDistance: meters,
  runFromWater: Joi.boolean(),
  behaviour,
  radio: Joi.boolean(),
  gender: Joi.string().valid("random", "female", "male"),
  skinTone: Joi.string().valid("random", "light", "medium", "tan", "dark"),
  death,
  boss: Joi.boolean().description(
    "Whether the NPC is a boss: players see it on the map and receive push messages about its " +
      "death.",
  ),
  healthSteps: Joi.array()
    .items(Joi.number().integer().min(1).max(99))
    .unique()
    .max(20)
    .description(
      "Thresholds in percent of full health. When the health of the NPC falls below a threshold, " +
        "the event trigger `survival.npc.health` fires.",
    ),
  ranked: Joi.boolean().description("Whether kills of these NPCs count in the public ranking."),
} as const;

/** The NPC plugin's defaults. */
const defaultProfile = {
  names: [],
  faction: null,
  health: 150,
  kit: null,
  kits: [],
  wearItems: [],
  beltItems: [],
  roamRange: 20,
  chaseRange: 50,
  senseRange: 30,
  listenRange: 15,
  memorySec: 5,
  attackRangeMultiplier: 1,
  aimConeScale: 2,
  damageScale: 1,
  turretDamageScale: 1,
  headScale: 1,
  bodyScale: 1,
  legScale: 1,
  meleeScale: 1,
  checkVisionCone: false,
  visionCone: 135,
  speed: 7.5,
  stationary: false,
  canSwim: true,
  canSleep: false,
  sleepDistance: 100,
  runFromWater: true,
  behaviour: {
    hostileOnly: false,
    ignoreSleepers: true,
    ignoreWounded: true,
    ignoreSafeZone: true,
    peacekeeper: false,
    respectSafeZones: true,
    targetAnimals: false,
    instantHeadshotDeath: false,
  },
  radio: true,
  gender: "random",
  skinTone: "random",
  death: {
    dropWeaponPct: 100,
    wipeBeltPct: 100,
    wipeClothingPct: 100,
    rustLootPct: 100,
    lootSource: null,
    lockedCratePct: 0,
    corpseMin: 5,
  },
  boss: false,
  healthSteps: [75, 50, 25, 10],
  ranked: true,
};

/** Applies a change to a profile. In `behaviour` and `death`, only the named fields change. */
export function mergeProfile(stored: ProfileDocument, change: ProfileChange): ProfileDocument {
  const named = Object.entries(change).filter(
    ([field, value]) => Object.hasOwn(profileFields, field) && value !== undefined,
  );
  const laid = { ...stored, ...Object.fromEntries(named) } as ProfileDocument;
  return {
    ...laid,
    behaviour: { ...stored.behaviour, ...laid.behaviour },
    death: { ...stored.death, ...laid.death },
    healthSteps: laid.healthSteps.toSorted((one, other) => other - one),
  };
}

export const createProfileDocument = (given: ProfileChange & { readonly displayName: string }) =>
  mergeProfile({ ...defaultProfile, displayName: given.displayName }, given);

/** Converts the skin id to text, because games may write the 64-bit number as an integer. */
const withTextIds = (document: object): object =>
  Object.fromEntries(
    Object.entries(document).map(([field, value]: [string, unknown]) => [
      field,
      Array.isArray(value) ? value.map(withTextSkin) : value,
    ]),
  );

function withTextSkin(item: unknown): unknown {
  if (typeof item !== "object" || item === null || !("skinId" in item)) return item;
  const { skinId: given } = item;
  return { ...item, skinId: stringifyLongInteger(given) };
}

/** Makes a profile from a game's document, without unknown fields. @throws AppError naming faults */
export function parseProfileDocument(document: object, key: string): ProfileDocument {
  const { value, error } = Joi.object(profileFields).validate(withTextIds(document), {
    abortEarly: false,
    convert: false,
    stripUnknown: { objects: true },
    errors: { label: "path", wrap: { label: false } },
  });
  if (error) {
    throw invalidFieldsError(
      error.details.map(({ path, message }) => ({ path: path.join("."), message })),
    );
  }
  return createProfileDocument({ displayName: key, ...(value as ProfileChange) });
}
