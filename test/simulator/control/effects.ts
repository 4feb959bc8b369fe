import type { Journal } from "../stream/journal.ts";

/** The effect of a command in the game. */
export interface Effect {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** The time of the first occurrence. */
  readonly at: number;
  /** More than one is a fault of the sidecar or of a caller that used two keys. */
  readonly times: number;
}

/** Counts effects, across restarts of the sidecar. */
export interface Effects {
  readonly note: (effect: Omit<Effect, "times">) => void;
  /** Effects whose keys have this prefix. */
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
