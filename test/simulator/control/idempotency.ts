import { sha256 } from "../sources/source.ts";
import type { Journal } from "../stream/journal.ts";
import { refuse } from "./refusal.ts";
import type { ControlAnswer } from "./refusal.ts";

interface Memory {
  /** A hash of the method, path and body of the first call with the key. */
  readonly fingerprint: string;
  readonly answer: ControlAnswer;
  readonly at: number;
}

interface InFlight {
  readonly fingerprint: string;
  readonly outcome: Promise<ControlAnswer>;
}

export interface KeyedAnswer {
  readonly answer: ControlAnswer;
  /** True if this is the stored answer of an earlier call with the same key. */
  readonly replayed: boolean;
}

/**
 * Executes a call once per key. A later call with the key gets the stored answer or waits for the
 * running call.
 */
export interface Idempotency {
  readonly once: (
    key: string,
    call: string,
    act: () => Promise<ControlAnswer>,
  ) => Promise<KeyedAnswer>;
}

const keepMs = 24 * 3_600_000;
const conflict = { answer: refuse(409, "CONFLICT").answer, replayed: false };

export function createIdempotency(journal: Journal, clock: () => number): Idempotency {
  const memories = new Map<string, Memory>();
  const inFlight = new Map<string, InFlight>();
  for (const line of journal.past) {
    if ("answer" in line) memories.set(line.answer.key, line.answer.memory as Memory);
  }
  const recall = (key: string): Memory | undefined => {
    const memory = memories.get(key);
    return memory === undefined || memory.at <= clock() - keepMs ? undefined : memory;
  };
  /** Do not remember a refusal. It had no effect, so a retry with the same key may succeed. */
  const remember = (key: string, fingerprint: string, answer: ControlAnswer): void => {
    // Do not remember files: reading a file changes nothing in the game, so read it again.
    if (answer.status >= 300 || answer.file !== undefined) return;
    const memory: Memory = { fingerprint, answer, at: clock() };
    memories.set(key, memory);
    journal.write({ answer: { key, memory } });
  };
  return {
    once: async (key, call, act) => {
      const fingerprint = sha256(call);
      const known = recall(key) ?? inFlight.get(key);
      if (known !== undefined && known.fingerprint !== fingerprint) return conflict;
      if (known !== undefined) {
        const answer = "answer" in known ? known.answer : await known.outcome;
        return { answer, replayed: true };
      }
      const outcome = act();
      inFlight.set(key, { fingerprint, outcome });
      try {
        const answer = await outcome;
        remember(key, fingerprint, answer);
        return { answer, replayed: false };
      } finally {
        inFlight.delete(key);
      }
    },
  };
}
