import type { Condition, Gate } from "../spec/spec.ts";
import type { Operator } from "../vocabulary.ts";

/** What a phase waits for, as people read it. */
export function gateSentence(gate: Gate, hits: number): string {
  if (gate.kind === "steps") return "waiting for the steps of the phase to end";
  if (gate.kind === "manual") return "waiting for a person to advance it";
  if (gate.kind === "after") return `waiting until ${gate.seconds} s after the phase began`;
  const { trigger, count, where } = gate;
  const conditions = where.map(conditionText).join(" and ");
  const more = Math.max(0, count - hits);
  return `waiting for ${more} more of \`${trigger}\`${conditions && ` where ${conditions}`}`;
}

const words: Readonly<Record<Operator, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  in: "is one of",
  contains: "contains",
  exists: "is there",
};

function conditionText({ var: name, op, value }: Condition): string {
  if (op === "exists") return value === true ? `${name} is there` : `${name} is not there`;
  return `${name} ${words[op]} ${textOf(value)}`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
