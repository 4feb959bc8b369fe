import type { Journal } from "../stream/journal.ts";

/** The effect that a command had in the game. */
export interface Effect {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** The time at which the effect happened first. */
  readonly at: number;
  /**
   * How often the effect happened. A number above 1 shows a fault of the sidecar, or of a caller that used one
   * key twice.
   */
  readonly times: number;
}

/** Counts the effects of commands. The counts survive restarts of the sidecar. */
export interface Effects {
  readonly note: (effect: Omit<Effect, "times">) => void;
  /** Returns the effects whose keys begin with this prefix. */
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
