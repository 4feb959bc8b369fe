import type { ActiveShardFaults } from "../faults/shard-standing.ts";
import { familyRows } from "../world/families.ts";
import type { Family } from "../world/families.ts";
import type { Game } from "./game.ts";
import { snapshotParts } from "./snapshot.ts";
import type { SnapshotEvent } from "./snapshot.ts";

/** Sends the snapshots of families one after another. Requests during a snapshot wait. */
export interface Resync {
  readonly ask: (families: readonly Family[]) => void;
  readonly stop: () => void;
}

export interface ResyncOptions {
  readonly game: Game;
  readonly standing: ActiveShardFaults;
  /**
   * The milliseconds between two frames of a snapshot. With 0, no other frame comes between them.
   */
  readonly pauseMs: number;
}

export function createResync({ game, standing, pauseMs }: ResyncOptions): Resync {
  let waiting: Family[] = [];
  let parts: SnapshotEvent[] = [];
  let askedOf: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let told = 0;

  /** Drops unfinished snapshots of an earlier boot: the restarted game does not complete them. */
  const forgetOtherBoots = (): void => {
    if (askedOf === game.bootId) return;
    askedOf = game.bootId;
    waiting = [];
    parts = [];
  };
  const begin = (family: Family): void => {
    const rows = familyRows(game.world, family, game.now());
    const id = `${askedOf}-${family}-${++told}`;
    parts = snapshotParts(family, id, rows, standing.takeTear(family));
  };
  const step = (): void => {
    timer = undefined;
    forgetOtherBoots();
    if (game.running && !game.awake) return void game.untilFree().then(goOn);
    const next = parts.length === 0 ? waiting.shift() : undefined;
    if (next !== undefined) begin(next);
    for (const part of pauseMs === 0 ? parts.splice(0) : parts.splice(0, 1)) {
      game.emit(part.kind, part.payload, { eventKey: null });
    }
    goOn();
  };
  const goOn = (): void => {
    if (parts.length > 0 || waiting.length > 0) timer ??= setTimeout(step, pauseMs);
  };
  return {
    ask: (families) => {
      forgetOtherBoots();
      waiting.push(...families);
      // Send the first frame after the answer to the call, which only acknowledges the request.
      timer ??= setTimeout(step, 0);
    },
    stop: () => clearTimeout(timer),
  };
}
