import type { Journal } from "../stream/journal.ts";

export const deedKinds = [
  "zone.opened",
  "zone.closed",
  "npc.spawned",
  "kit.entitled",
  "announced",
  "permission.applied",
  "config.written",
  "participation.opened",
  "participation.collected",
  "titles.set",
  "voice.set",
  "profile.set",
  "link.redeemed",
  "player.kicked",
  "player.banned",
  "player.unbanned",
] as const;

export type GameEffectKind = (typeof deedKinds)[number];

/** An effect in the game: its kind, and the object it concerns. */
export interface GameEffect {
  readonly what: GameEffectKind;
  /**
   * The object of the effect, for example a lease, an entitlement, a placement, or a
   * synchronization with its permission.
   */
  readonly ref: string;
  /** The idempotency key of the command that caused the effect. Null if no command did. */
  readonly key: string | null;
  readonly at: number;
  /** How often the effect happened. */
  readonly times: number;
}

/** Counts the effects of commands. The counts survive restarts of the simulator. */
export interface GameEffects {
  readonly note: (deed: Omit<GameEffect, "times">, times?: number) => void;
  /** Returns the effects of a kind. An empty text selects all. */
  readonly of: (what: string) => GameEffect[];
}

export function createGameEffectCounter(journal: Journal): GameEffects {
  const deeds = new Map<string, GameEffect>();
  const count = (deed: GameEffect): void => {
    const name = `${deed.what} ${deed.ref}`;
    const before = deeds.get(name);
    deeds.set(name, { ...(before ?? deed), times: (before?.times ?? 0) + deed.times });
  };
  for (const line of journal.past) if ("deed" in line) count(line.deed as GameEffect);
  return {
    note: (deed, times = 1) => {
      if (times === 0) return;
      count({ ...deed, times });
      journal.write({ deed: { ...deed, times } });
    },
    of: (what) => [...deeds.values()].filter((deed) => what === "" || deed.what === what),
  };
}
