import type { Option } from "../../../parts/options.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { words } from "../../../words/words.ts";
import type { Zones } from "./zones.ts";

interface PresetChoice {
  readonly isNew: boolean;
  /** The kind of the shape, which decides the fields of the shape. */
  readonly shape: string;
  readonly setShape: (kind: string) => void;
  readonly flags: Zones["flags"];
  readonly servers: readonly Option[];
}

/** The fields of a preset. */
export const presetSpecs = (choice: PresetChoice): readonly FieldSpec[] => [
  ...nameSpecs(choice),
  ...shapeSpecs(choice),
  ...flagSpecs(choice),
  ...effectSpecs(),
  ...messageSpecs(),
  ...limitSpecs(choice),
];

const nameSpecs = ({ isNew }: PresetChoice): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  const key: FieldSpec = {
    name: "key",
    kind: "text",
    label: text.key,
    hint: text.keyHint,
    input: { required: true },
  };
  return [
    ...(isNew ? [key] : []),
    { name: "name", kind: "text", label: text.name, input: { required: true } },
  ];
};

const shapeSpecs = ({ shape, setShape }: PresetChoice): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  const side = { kind: "number", input: { required: true, min: 1 } } as const;
  return [
    {
      name: "shape.kind",
      kind: "select",
      label: text.shape,
      options: [
        { value: "sphere", text: text.kinds.sphere },
        { value: "box", text: text.kinds.box },
      ],
      onChange: setShape,
    },
    ...(shape === "sphere"
      ? [{ name: "shape.radius", label: text.radius, ...side }]
      : [
          { name: "shape.x", label: text.width, ...side },
          { name: "shape.y", label: text.height, ...side },
          { name: "shape.z", label: text.depth, ...side },
        ]),
    { name: "rotation", kind: "number", label: text.rotation },
  ];
};

const flagSpecs = ({ flags }: PresetChoice): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  const options = flags.map(({ name, group, destructive }) => ({
    value: name,
    text: destructive ? text.destructiveFlag(name) : name,
    group,
  }));
  return [
    { name: "flags", kind: "choices", label: text.flags, options },
    {
      name: "confirmDestructive",
      kind: "check",
      label: text.confirmDestructive,
      hint: text.confirmDestructiveHint,
    },
  ];
};

const effectSpecs = (): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  return [
    { name: "radiation", kind: "number", label: text.radiation },
    { name: "comfort", kind: "number", label: text.comfort, hint: text.comfortHint },
    { name: "temperature", kind: "number", label: text.temperature },
    { name: "safeZone", kind: "check", label: text.safeZone },
    { name: "dome.enabled", kind: "check", label: text.dome },
    {
      name: "dome.darkness",
      kind: "number",
      label: text.darkness,
      input: { min: 0, max: 10, step: 1 },
    },
    {
      name: "color",
      kind: "text",
      label: text.color,
      hint: text.colorHint,
      isNullable: true,
    },
  ];
};

const messageSpecs = (): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  const optional = { kind: "text", isNullable: true } as const;
  return [
    { name: "enterMessage", label: text.enterMessage, ...optional },
    { name: "leaveMessage", label: text.leaveMessage, ...optional },
    { name: "permission", label: text.permission, hint: text.permissionHint, ...optional },
    { name: "ejectSpawns", label: text.ejectSpawns, ...optional },
    { name: "ruleset", label: text.ruleset, ...optional },
  ];
};

const limitSpecs = ({ servers }: PresetChoice): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  return [
    {
      name: "maxDurationSec",
      kind: "number",
      label: text.maxDuration,
      input: { required: true, min: 60, max: 86_400, step: 1 },
    },
    { name: "servers.all", kind: "check", label: text.onAllServers },
    {
      name: "servers.ids",
      kind: "choices",
      label: text.onServers,
      options: servers,
      isNumeric: true,
    },
  ];
};
