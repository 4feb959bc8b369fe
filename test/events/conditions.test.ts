import { describe, expect, it } from "vitest";

import { meetsConditions } from "../../shared/events/machine/conditions.ts";
import type { GateCondition } from "../../shared/events/spec/spec.ts";
import { findSpecFaults } from "../../shared/events/spec/validate.ts";
import { operators } from "../../shared/events/vocabulary.ts";
import { pickVariables } from "../../shared/facts/emit-triggers.ts";
import type { EventTrigger } from "../../shared/facts/trigger.ts";
import { findTrigger } from "../../shared/facts/triggers.ts";
import { buildOneStepSpec } from "./specs.ts";

const later = "2026-12-05T20:00:00.000Z";

/** An example of each type: a trigger, the name of its variable of that type, and a value. */
const examples = {
  serial: ["champ.end", "id", "0x40001A2B"],
  string: ["champ.end", "name", "Despise"],
  enum: ["champ.end", "outcome", "defeated"],
  integer: ["champ.end", "durationSec", 90],
  number: ["survival.npc.health", "percent", 24.5],
  boolean: ["creature.kill", "paragon", false],
  datetime: ["survival.server.offline", "lastSeenAt", later],
  text: ["world.broadcast", "text", "Hear ye, hear ye"],
} as const;
type Type = keyof typeof examples;

const triggerOf = (type: Type): EventTrigger => {
  const [id] = examples[type];
  const trigger = findTrigger(id);
  if (!trigger) throw new Error(`there is no trigger ${id}`);
  return trigger;
};

/** Returns true if the condition accepts an event whose variable has this value. */
function meets(type: Type, [op, value]: readonly [string, unknown], given: unknown): boolean {
  const trigger = triggerOf(type);
  const name = examples[type][1];
  const condition = { var: name, op, value } as GateCondition;
  return meetsConditions([condition], trigger, pickVariables(trigger, { [name]: given }));
}

function faults(type: Type, op: string, value: unknown): string[] {
  const [trigger, name] = examples[type];
  const advance = { kind: "trigger", trigger, where: [{ var: name, op, value }] };
  const [phase] = buildOneStepSpec({}).phases;
  const spec = { ...buildOneStepSpec({}), phases: [{ ...phase, advance }] };
  return findSpecFaults(spec, "UTC").map(
    ({ path, code }) => `${path.replace("/spec/phases/0/advance/where/0", "")} ${code}`,
  );
}

type Row = readonly [type: Type, op: string, value: unknown, isMet: boolean];

const rows: readonly Row[] = [
  ["serial", "eq", "0x40001A2B", true],
  ["serial", "eq", "0x40001a2b", true],
  ["serial", "eq", "0x40001A2C", false],
  ["string", "eq", "Despise", true],
  ["string", "eq", "despise", false],
  ["enum", "eq", "defeated", true],
  ["integer", "eq", 90, true],
  ["integer", "eq", 91, false],
  ["number", "eq", 24.5, true],
  ["boolean", "eq", false, true],
  ["boolean", "eq", true, false],
  ["datetime", "eq", "2026-12-05T21:00:00.000+01:00", true],
  ["text", "eq", "Hear ye", false],

  ["serial", "ne", "0x40001a2b", false],
  ["serial", "ne", "0x40001A2C", true],
  ["string", "ne", "Destard", true],
  ["enum", "ne", "expired", true],
  ["enum", "ne", "defeated", false],
  ["integer", "ne", 90, false],
  ["boolean", "ne", true, true],
  ["datetime", "ne", "2026-12-05T21:00:00.000+01:00", false],

  ["integer", "gt", 89, true],
  ["integer", "gt", 90, false],
  ["integer", "gte", 90, true],
  ["integer", "gte", 91, false],
  ["integer", "lt", 91, true],
  ["integer", "lt", 90, false],
  ["integer", "lte", 90, true],
  ["integer", "lte", 89, false],
  ["number", "gt", 24.4, true],
  ["number", "lt", 24.5, false],
  ["datetime", "gt", "2026-12-05T20:30:00.000+01:00", true],
  ["datetime", "gte", later, true],
  ["datetime", "lt", later, false],
  ["datetime", "lte", "2026-12-05T20:00:00.001Z", true],

  ["enum", "in", ["expired", "defeated"], true],
  ["enum", "in", ["expired"], false],
  ["serial", "in", ["0x1", "0x40001a2b"], true],
  ["integer", "in", [90], true],
  ["integer", "in", [], false],
  ["datetime", "in", ["2026-12-05T21:00:00.000+01:00"], true],

  ["string", "contains", "spi", true],
  ["string", "contains", "SPI", false],
  ["text", "contains", "ye, hear", true],
  ["enum", "contains", "feat", true],

  ["string", "exists", true, true],
  ["string", "exists", false, false],
  ["boolean", "exists", true, true],
];

describe("a condition of a gate", () => {
  it.each(rows)(
    "is valid and has the expected result: type %s, %s %j is %s",
    (type, op, value, isMet) => {
      expect(faults(type, op, value)).toEqual([]);
      expect(meets(type, [op, value], examples[type][2])).toBe(isMet);
    },
  );

  it("is tested above with every operator and every type of variable", () => {
    expect(operators.filter((op) => !rows.some((row) => row[1] === op))).toEqual([]);
    const types = Object.keys(examples) as Type[];
    expect(types.filter((type) => !rows.some((row) => row[0] === type))).toEqual([]);
  });

  it.each([
    ["serial", "eq", "Despise", "/value format"],
    ["string", "eq", 7, "/value type"],
    ["enum", "eq", "won", "/value unknown"],
    ["enum", "ne", "won", "/value unknown"],
    ["integer", "eq", "90", "/value type"],
    ["integer", "ne", 1.5, "/value type"],
    ["boolean", "eq", "false", "/value type"],
    ["datetime", "eq", "tomorrow", "/value format"],
    ["string", "gt", "a", "/op type"],
    ["text", "gte", "a", "/op type"],
    ["enum", "lt", "defeated", "/op type"],
    ["boolean", "lte", true, "/op type"],
    ["serial", "gt", "0x40001A2B", "/op type"],
    ["integer", "gt", "90", "/value type"],
    ["datetime", "lt", 90, "/value type"],
    ["enum", "in", "defeated", "/value type"],
    ["integer", "in", [90, "90"], "/value/1 type"],
    ["integer", "contains", 9, "/op type"],
    ["boolean", "contains", "a", "/op type"],
    ["datetime", "contains", "2026", "/op type"],
    ["string", "contains", 7, "/value type"],
    ["string", "exists", "true", "/value type"],
    ["string", "like", "a", "/op unknown"],
  ] as const)(
    "is rejected if the operator or value does not fit the type: %s %s %j",
    (type, op, value, fault) => {
      expect(faults(type, op, value)).toEqual([fault]);
    },
  );

  const asked = {
    in: ["integer", [90, null], "90"],
    contains: ["string", "9", 9],
  } as const;

  it.each(operators.filter((op) => op !== "exists"))(
    "is not met by a missing value, null or a value of another type: %s",
    (op) => {
      const [type, value, other] = asked[op as keyof typeof asked] ?? ["integer", 91, "90"];
      const given = [undefined, null, other, [other], { is: other }];
      const met = given.filter((one) => meets(type, [op, value], one));
      expect(met).toEqual([]);
    },
  );

  it("treats null and values of another type as missing if its operator is exists", () => {
    const asks = (value: boolean) =>
      [undefined, null, 7, "Despise"].map((given) => meets("string", ["exists", value], given));
    expect(asks(true)).toEqual([false, false, false, true]);
    expect(asks(false)).toEqual([true, true, true, false]);
  });

  it("is combined with the gate's other conditions so that all must hold", () => {
    const trigger = triggerOf("enum");
    const given = pickVariables(trigger, { outcome: "defeated", durationSec: 90 });
    const won = { var: "outcome", op: "eq", value: "defeated" } as const;
    const long = (value: number) => ({ var: "durationSec", op: "gt", value }) as const;
    expect(meetsConditions([], trigger, given)).toBe(true);
    expect(meetsConditions([won, long(60)], trigger, given)).toBe(true);
    expect(meetsConditions([won, long(100)], trigger, given)).toBe(false);
  });
});
