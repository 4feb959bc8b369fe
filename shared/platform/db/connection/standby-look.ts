import type { Client } from "pg";

/**
 * Looks whether a server has done what a connection asked for and only waits for a standby. One look at a
 * time, over a connection of its own: all others may be waiting.
 */
export class StandbyLook {
  readonly #makeClient: () => Client;
  #last: Promise<unknown> = Promise.resolve();

  constructor(makeClient: () => Client) {
    this.#makeClient = makeClient;
  }

  /** @returns false, too, when it cannot be told */
  isAwaitedBy(processId: number): Promise<boolean> {
    const look = this.#last.then(() => this.#look(processId)).catch(() => false);
    this.#last = look;
    return look;
  }

  async #look(processId: number): Promise<boolean> {
    const client = this.#makeClient();
    try {
      await client.connect();
      const { rowCount } = await client.query(waits, [processId]);
      return rowCount === 1;
    } finally {
      await client.end();
    }
  }
}

const waits = "select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";

interface Followed {
  readonly look: StandbyLook;
  readonly everyMs: number;
  readonly giveUp: () => void;
}

/** Looks after the statements of one connection for as long as each takes. */
export class StandbyPatience {
  readonly #followed: Followed;
  #next: NodeJS.Timeout | undefined;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  begin(processId: number): void {
    this.#lookLater(processId, false);
  }

  end(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
  }

  /** A standby that is there takes a moment too: it is away when two looks in a row find it awaited. */
  #lookLater(processId: number, wasAwaited: boolean): void {
    const { look, everyMs, giveUp } = this.#followed;
    const lookNow = async (): Promise<void> => {
      const isAwaited = await look.isAwaitedBy(processId);
      if (this.#next !== own) return;
      if (isAwaited && wasAwaited) giveUp();
      this.#lookLater(processId, isAwaited);
    };
    const own = setTimeout(() => void lookNow(), everyMs);
    this.#next = own;
  }
}
