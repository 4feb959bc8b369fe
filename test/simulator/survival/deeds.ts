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
] as const;

export type DeedKind = (typeof deedKinds)[number];

/** What came about in the game, by what it is and whom it concerns. */
export interface Deed {
  readonly what: DeedKind;
  /** A lease, an entitlement, a placement, a push with its permission. */
  readonly ref: string;
  /** The idempotency key of the command it came of; null for what came of itself. */
  readonly key: string | null;
  readonly at: number;
  /** How often it came about. */
  readonly times: number;
}

/** Counts what commands brought about in the game, over restarts of the simulator too. */
export interface Deeds {
  readonly note: (deed: Omit<Deed, "times">, times?: number) => void;
  /** All, or those of one sort. */
  readonly of: (what: string) => Deed[];
}

export function createDeeds(journal: Journal): Deeds {
  const deeds = new Map<string, Deed>();
  const count = (deed: Deed): void => {
    const name = `${deed.what} ${deed.ref}`;
    const before = deeds.get(name);
    deeds.set(name, { ...(before ?? deed), times: (before?.times ?? 0) + deed.times });
  };
  for (const line of journal.past) if ("deed" in line) count(line.deed as Deed);
  return {
    note: (deed, times = 1) => {
      if (times === 0) return;
      count({ ...deed, times });
      journal.write({ deed: { ...deed, times } });
    },
    of: (what) => [...deeds.values()].filter((deed) => what === "" || deed.what === what),
  };
}
