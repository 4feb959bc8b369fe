import { timeoutMs, waitUntil } from "../support/clock/wait.ts";

/** An event in the simulator's log. The log covers all epochs and restarts. */
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
  /** True if a correct client stores the event: the frame is usable and the event was not lost. */
  readonly stored: boolean;
}

export interface ShardState {
  readonly epoch: string;
  readonly head: number;
  readonly acked: number;
  readonly bootId: string | null;
  readonly clientConnected: boolean;
}

/** Calls the simulator's own routes, which the product never calls. */
export class ShardSimulatorClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  status(): Promise<ShardState> {
    return this.#ask("/status");
  }

  /** Triggers a fault. @throws if the simulator does not run or does not know the fault */
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

  /** Reads the present rows of a snapshot family, in the format of their upsert events. */
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

  /** Reads the present world of a survival server. */
  async survivalWorld(): Promise<{ readonly online: readonly string[]; readonly saveId: number }> {
    return this.#ask("/world");
  }

  /** Reads the present state of a family of a survival server, as frames of events. */
  async family(
    name: string,
  ): Promise<readonly { readonly kind: string; readonly payload: Record<string, unknown> }[]> {
    const { frames } = await this.#ask<{
      frames: { kind: string; payload: Record<string, unknown> }[];
    }>(`/family?family=${name}`);
    return frames;
  }

  /** Reads how often commands took effect, for keys with this prefix. */
  async effects(
    prefix: string,
  ): Promise<readonly { readonly key: string; readonly times: number }[]> {
    const { effects } = await this.#ask<{ effects: { key: string; times: number }[] }>(
      `/effects?prefix=${encodeURIComponent(prefix)}`,
    );
    return effects;
  }

  /** Reads the log of all events that the shard emitted. */
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

  /** Waits until the simulator listens, after a fault or a restart. */
  async present(): Promise<void> {
    const isThere = () => this.status().then(Boolean, () => false);
    await waitUntil("the simulator is there", isThere);
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs);
    // Use a new connection for each call: the simulator closes idle connections, sometimes just
    // when one is reused.
    const headers = { connection: "close" };
    const response = await fetch(`${this.#url}/sim${path}`, { ...init, headers, signal });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
