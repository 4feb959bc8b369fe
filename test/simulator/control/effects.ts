import type { Journal } from "../stream/journal.ts";

/** What a command brought about in the game. */
export interface Effect {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** When it came about first. */
  readonly at: number;
  /** More than once is a fault of the sidecar, or of who calls under two keys. */
  readonly times: number;
}

/** How often which effect happened, over restarts of the sidecar too. */
export interface Effects {
  readonly note: (effect: Omit<Effect, "times">) => void;
  /** Of keys that begin so. */
  readonly of: (prefix: string) => Effect[];
}

export function createEffects(journal: Journal): Effects {
  const effects = new Map<string, Effect>();
  const count = (effect: Omit<Effect, "times">): void => {
    const before = effects.get(effect.key);
    effects.set(effect.key, { ...(before ?? effect), times: (before?.times ?? 0) + 1 });
  };
  for (const line of journal.past) if ("effect" in line) count(line.effect);
  return {
    note: (effect) => {
      count(effect);
      journal.write({ effect });
    },
    of: (prefix) => [...effects.values()].filter(({ key }) => key.startsWith(prefix)),
  };
}
