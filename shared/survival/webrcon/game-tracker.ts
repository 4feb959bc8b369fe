import { randomUUID } from "node:crypto";

import type { ServerInfo } from "./console-answers.ts";
import { type DayOrder, readDayOrder, readSaveTime } from "./save-time.ts";

/** The save of a world. */
export interface World {
  /** The console's text of the creation time. */
  readonly text: string;
  /** The creation time in epoch milliseconds. */
  readonly saveId: number;
  /** Version of the save format; null if unknown. */
  readonly saveProtocol: number | null;
}

export interface GameChange {
  readonly isNewBoot: boolean;
  /** The world before a wipe; null if there was no wipe. */
  readonly wiped: World | null;
}

/** The start of a process is computed from seconds, and the clocks of the two machines may drift. */
const sameStartMs = 60_000;

interface GameProcess {
  readonly id: string;
  readonly startedAt: number | null;
  uptimeSec: number;
}

const isSameProcess = (known: GameProcess, uptimeSec: number, at: number): boolean =>
  uptimeSec >= known.uptimeSec &&
  (known.startedAt === null || at - uptimeSec * 1_000 - known.startedAt < sameStartMs);

/** Recognizes other game processes and other worlds from the answers to `serverinfo`. */
export class GameTracker {
  #boot: { readonly id: string; readonly startedAt: number | null; uptimeSec: number } | null =
    null;
  #world: World | null = null;
  /** True if the world may be another one: since the last answer, the connection or the process ended. */
  #mayChangeWorld = true;
  #order: DayOrder = null;

  get bootId(): string | null {
    return this.#boot?.id ?? null;
  }

  /** Epoch milliseconds; null if unknown. */
  get startedAt(): number | null {
    return this.#boot?.startedAt ?? null;
  }

  get world(): World | null {
    return this.#world;
  }

  /** Reports that the connection ended, so that the world may be another one afterwards. */
  markBreak(): void {
    this.#mayChangeWorld = true;
  }

  /** @param at time of the answer, in epoch milliseconds */
  update(info: ServerInfo, at: number): GameChange {
    const isNewBoot = this.#followBoot(info, at);
    this.#order = readDayOrder(info.saveCreated) ?? readDayOrder(info.gameTime) ?? this.#order;
    const former = this.#world;
    if (isNewBoot) this.#mayChangeWorld = true;
    if (this.#mayChangeWorld && former?.text !== info.saveCreated) {
      this.#world = this.#readWorld(info, at);
    } else if (!former) this.#world = this.#readWorld(info, at);
    this.#mayChangeWorld = false;
    // Only a later save is a wipe. An earlier one was restored from a backup.
    const isLater = former && this.#world && this.#world.saveId > former.saveId;
    return { isNewBoot, wiped: isLater ? former : null };
  }

  /** @returns true if another game process answers */
  #followBoot({ uptimeSec }: ServerInfo, at: number): boolean {
    const known = this.#boot;
    if (known && (uptimeSec === null || isSameProcess(known, uptimeSec, at))) {
      known.uptimeSec = uptimeSec ?? known.uptimeSec;
      return false;
    }
    const startedAt = uptimeSec === null ? null : at - uptimeSec * 1_000;
    this.#boot = { id: randomUUID(), startedAt, uptimeSec: uptimeSec ?? 0 };
    return known !== null;
  }

  #readWorld({ saveCreated, protocol }: ServerInfo, at: number): World | null {
    const facts = { now: at, startedAt: this.startedAt, order: this.#order };
    const saveId = readSaveTime(saveCreated, facts);
    const saveProtocol = protocolParts(protocol).save;
    return saveId === null ? null : { text: saveCreated, saveId, saveProtocol };
  }
}

/** Returns the versions in a text such as `2511.254.1`. */
export function protocolParts(protocol: string | null): {
  readonly network: number | null;
  readonly save: number | null;
} {
  const [, network, save] = /^(\d{1,9})\.(\d{1,9})\.\d+/.exec(protocol ?? "") ?? [];
  return {
    network: network === undefined ? null : Number(network),
    save: save === undefined ? null : Number(save),
  };
}
