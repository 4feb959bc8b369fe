import { patienceMs, until } from "../support/clock/wait.ts";

/** An event as the simulator logged it, over all its epochs and lives. */
export interface LoggedEvent {
  readonly n: number;
  readonly epoch: string;
  readonly seq: number;
  readonly eventKey: string | null;
  readonly kind: string;
  readonly t: number;
  readonly bootId: string | null;
  readonly lost: boolean;
  readonly form: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Whether a client that missed nothing has stored it. */
  readonly stored: boolean;
}

export interface ShardState {
  readonly epoch: string;
  readonly head: number;
  readonly acked: number;
  readonly bootId: string | null;
  readonly clientConnected: boolean;
}

/** The simulator's own routes, which no product code calls. */
export class Shard {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  status(): Promise<ShardState> {
    return this.#ask("/status");
  }

  /** @throws when the simulator is away or knows no such fault */
  async strike(fault: object): Promise<void> {
    await this.#ask("/faults", { method: "POST", body: JSON.stringify(fault) });
  }

  async clearFaults(): Promise<void> {
    await this.#ask("/faults", { method: "DELETE" });
  }

  async setRate(rate: number): Promise<void> {
    await this.#ask("/rate", { method: "POST", body: JSON.stringify({ rate }) });
  }

  async happen(count: number): Promise<void> {
    await this.#ask("/happen", { method: "POST", body: JSON.stringify({ count }) });
  }

  /** A family of states as it is now, each row as its own upsert would say it. */
  async rows(family: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.#ask<{ rows: Record<string, unknown>[] }>(`/rows?family=${family}`);
    return rows;
  }

  async world(): Promise<{
    readonly online: readonly string[];
    readonly links: readonly { readonly account: string; readonly userId: number }[];
    readonly accounts: readonly { readonly account: string }[];
    readonly champions: readonly { readonly id: string }[];
  }> {
    return this.#ask("/world");
  }

  /** The world of a survival server. */
  async survivalWorld(): Promise<{ readonly online: readonly string[]; readonly saveId: number }> {
    return this.#ask("/world");
  }

  /** A family of a survival server as it is now, in the frames that tell it. */
  async family(
    name: string,
  ): Promise<readonly { readonly kind: string; readonly payload: Record<string, unknown> }[]> {
    const { frames } = await this.#ask<{
      frames: { kind: string; payload: Record<string, unknown> }[];
    }>(`/family?family=${name}`);
    return frames;
  }

  /** What commands brought about, by keys that begin so. */
  async effects(
    prefix: string,
  ): Promise<readonly { readonly key: string; readonly times: number }[]> {
    const { effects } = await this.#ask<{ effects: { key: string; times: number }[] }>(
      `/effects?prefix=${encodeURIComponent(prefix)}`,
    );
    return effects;
  }

  /** Everything it ever took in. */
  async log(): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for (;;) {
      const page = await this.#ask<{ events: LoggedEvent[]; total: number }>(
        `/log?after=${events.length}&limit=5000`,
      );
      events.push(...page.events);
      if (events.length >= page.total) return events;
    }
  }

  /** Waits until the simulator listens: it may be away by a fault, or not be back yet. */
  async present(): Promise<void> {
    const isThere = () => this.status().then(Boolean, () => false);
    await until("the simulator is there", isThere);
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const signal = AbortSignal.timeout(patienceMs);
    // The simulator closes a connection that was idle for seconds, at times as it is used again: each has its own.
    const headers = { connection: "close" };
    const response = await fetch(`${this.#url}/sim${path}`, { ...init, headers, signal });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
