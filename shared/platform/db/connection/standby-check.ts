import type { Client } from "pg";

/**
 * Checks if a server process only waits for a standby. The checks run one at a time on a separate
 * connection, because all other connections may be waiting.
 */
export class StandbyCheck {
  readonly #makeClient: () => Client;
  #last: Promise<unknown> = Promise.resolve();

  constructor(makeClient: () => Client) {
    this.#makeClient = makeClient;
  }

  /** Returns true if the process waits for a standby. Returns false also if the check fails. */
  isWaitingForStandby(processId: number): Promise<boolean> {
    const look = this.#last.then(() => this.#look(processId)).catch(() => false);
    this.#last = look;
    return look;
  }

  async #look(processId: number): Promise<boolean> {
    const client = this.#makeClient();
    try {
      await client.connect();
      const { rowCount } = await client.query(waitingSql, [processId]);
      return rowCount === 1;
    } finally {
      await client.end();
    }
  }
}

const waitingSql = "select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";

interface StandbyWatchOptions {
  readonly look: StandbyCheck;
  readonly everyMs: number;
  readonly giveUp: () => void;
}

/** Repeats the standby check during each statement of a connection. */
export class StandbyWatch {
  readonly #followed: StandbyWatchOptions;
  #next: NodeJS.Timeout | undefined;

  constructor(followed: StandbyWatchOptions) {
    this.#followed = followed;
  }

  begin(processId: number): void {
    this.#lookLater(processId, false);
  }

  end(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
  }

  /** Even a healthy standby takes a moment, so it counts as lost only if two checks in a row find a wait. */
  #lookLater(processId: number, wasAwaited: boolean): void {
    const { look, everyMs, giveUp } = this.#followed;
    const lookNow = async (): Promise<void> => {
      const isAwaited = await look.isWaitingForStandby(processId);
      if (this.#next !== own) return;
      if (isAwaited && wasAwaited) giveUp();
      this.#lookLater(processId, isAwaited);
    };
    const own = setTimeout(() => void lookNow(), everyMs);
    this.#next = own;
  }
}
