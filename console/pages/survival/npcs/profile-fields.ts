import type { FieldSpec } from "../../../parts/specs.ts";
import { words } from "../../../words/words.ts";

const texts = () => words.survival.profile;

const numbers = (
  names: readonly (keyof ReturnType<typeof texts>["numbers"])[],
): readonly FieldSpec[] =>
  names.map((name) => ({
    name,
    kind: "number",
    label: texts().numbers[name],
    input: { required: true },
  }));

const checks = (
  names: readonly (keyof ReturnType<typeof texts>["checks"])[],
): readonly FieldSpec[] =>
  names.map((name) => ({ name, kind: "check", label: texts().checks[name] }));

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, text]) => ({ value, text }));

/** The fields of a new profile. All others have the defaults of the NPC plugins at first. */
export const newProfileSpecs = (factionsId: string): readonly FieldSpec[] => [
  {
    name: "key",
    kind: "text",
    label: texts().key,
    hint: texts().keyHint,
    input: { required: true },
  },
  ...appearance(factionsId),
];

/** All fields of a profile except its key. */
export const profileSpecs = (factionsId: string): readonly FieldSpec[] => [
  ...appearance(factionsId),
  ...equipment(),
  ...combat(),
  ...movement(),
  ...behaviour(),
  ...death(),
];

const appearance = (factionsId: string): readonly FieldSpec[] => [
  { name: "displayName", kind: "text", label: texts().displayName, input: { required: true } },
  { name: "names", kind: "lines", label: texts().names, hint: texts().namesHint },
  {
    name: "faction",
    kind: "text",
    label: texts().faction,
    isNullable: true,
    input: { list: factionsId },
  },
  ...numbers(["health"]),
  { name: "gender", kind: "select", label: texts().gender, options: optionsOf(texts().genders) },
  {
    name: "skinTone",
    kind: "select",
    label: texts().skinTone,
    options: optionsOf(texts().skinTones),
  },
  ...checks(["boss", "ranked"]),
  {
    name: "healthSteps",
    kind: "numbers",
    label: texts().healthSteps,
    hint: texts().healthStepsHint,
  },
];

const equipment = (): readonly FieldSpec[] => {
  const item: FieldSpec = {
    name: "shortName",
    kind: "text",
    label: texts().shortName,
    input: { required: true, placeholder: "rifle.ak" },
  };
  const skin: FieldSpec = {
    name: "skinId",
    kind: "text",
    label: texts().skinId,
    hint: texts().skinIdHint,
  };
  return [
    { name: "kit", kind: "text", label: texts().kit, isNullable: true },
    { name: "kits", kind: "lines", label: texts().kits, hint: texts().kitsHint },
    {
      name: "wearItems",
      kind: "rows",
      label: texts().wearItem,
      of: [item, skin],
      fresh: { skinId: "0" },
    },
    {
      name: "beltItems",
      kind: "rows",
      label: texts().beltItem,
      of: [
        item,
        {
          name: "amount",
          kind: "number",
          label: texts().amount,
          input: { required: true, min: 1, step: 1 },
        },
        skin,
        { name: "mods", kind: "lines", label: texts().mods },
        { name: "ammo", kind: "text", label: texts().ammo, isNullable: true },
      ],
      fresh: { amount: 1, skinId: "0" },
    },
  ];
};

const combat = (): readonly FieldSpec[] =>
  numbers([
    "attackRangeMultiplier",
    "aimConeScale",
    "damageScale",
    "turretDamageScale",
    "headScale",
    "bodyScale",
    "legScale",
    "meleeScale",
    "senseRange",
    "listenRange",
    "memorySec",
    "visionCone",
  ]);

const movement = (): readonly FieldSpec[] => [
  ...checks(["checkVisionCone", "stationary", "canSwim", "canSleep", "runFromWater", "radio"]),
  ...numbers(["speed", "roamRange", "chaseRange", "sleepDistance"]),
];

const behaviour = (): readonly FieldSpec[] =>
  Object.entries(texts().behaviours).map(([name, label]) => ({
    name: `behaviour.${name}`,
    kind: "check",
    label,
  }));

const death = (): readonly FieldSpec[] => [
  ...Object.entries(texts().deaths).map(([name, label]): FieldSpec => ({
    name: `death.${name}`,
    kind: "number",
    label,
    input: { required: true },
  })),
  {
    name: "death.lootSource",
    kind: "text",
    label: texts().lootSource,
    hint: texts().lootSourceHint,
    isNullable: true,
  },
];
