import { listAt, textAt } from "./draft.ts";

/** Returns a key that no other item of the lists has. */
export function findFreeKey(lists: readonly (readonly unknown[])[], start: string): string {
  const taken = new Set(lists.flat().map((item) => textAt(item, ["key"])));
  let count = taken.size + 1;
  while (taken.has(`${start}-${count}`)) count += 1;
  return `${start}-${count}`;
}

export const phasesOf = (draft: unknown): readonly unknown[] => listAt(draft, ["spec", "phases"]);

export const stepsOf = (phase: unknown): readonly unknown[] => listAt(phase, ["steps"]);

/** Returns the triggers of the gates before a phase. */
export const listTriggersBefore = (draft: unknown, phase: number): readonly string[] =>
  phasesOf(draft)
    .slice(0, phase)
    .filter((one) => textAt(one, ["advance", "kind"]) === "trigger")
    .map((one) => textAt(one, ["advance", "trigger"]));

export const paramNames = (draft: unknown): readonly string[] =>
  listAt(draft, ["spec", "params"]).map((param) => textAt(param, ["name"]));
