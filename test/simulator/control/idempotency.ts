import { sha256 } from "../sources/source.ts";
import type { Journal } from "../stream/journal.ts";
import type { Answer } from "./refusal.ts";

interface Memory {
  /** Of the call that the key was first used for: method, path and body. */
  readonly fingerprint: string;
  readonly answer: Answer;
  readonly at: number;
}

/** What was answered under each key; only answers that are final are kept. */
export interface Idempotency {
  /** `CONFLICT` when the key stands for another call; undefined when it is new. */
  readonly recall: (key: string, call: string) => Answer | "CONFLICT" | undefined;
  readonly remember: (key: string, call: string, answer: Answer) => void;
}

const keepMs = 24 * 3_600_000;

export function createIdempotency(journal: Journal, clock: () => number): Idempotency {
  const memories = new Map<string, Memory>();
  for (const line of journal.past) {
    if ("answer" in line) memories.set(line.answer.key, line.answer.memory as Memory);
  }
  return {
    recall: (key, call) => {
      const memory = memories.get(key);
      if (memory === undefined || memory.at <= clock() - keepMs) return undefined;
      return memory.fingerprint === sha256(call) ? memory.answer : "CONFLICT";
    },
    remember: (key, call, answer) => {
      if (answer.status >= 500) return;
      const memory: Memory = { fingerprint: sha256(call), answer, at: clock() };
      memories.set(key, memory);
      journal.write({ answer: { key, memory } });
    },
  };
}
