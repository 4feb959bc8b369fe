import type { Logger } from "../log.ts";
import type { Channel } from "./channels.ts";
import type { Listener } from "./listener.ts";

export interface WatchedValueSource<T> {
  readonly channel: Channel;
  readonly read: () => Promise<T>;
  readonly initial: T;
  readonly listener: Listener;
  readonly log: Logger;
}

const retryMs = 1_000;

/** A stored value that every request needs. It is kept in memory and read again after each change. */
export class WatchedValue<T> {
  readonly #source: WatchedValueSource<T>;
  #current: T;
  #reading: Promise<void> = Promise.resolve();
  readonly #followers = new Set<() => void>();

  constructor(source: WatchedValueSource<T>) {
    this.#source = source;
    this.#current = source.initial;
    source.listener.on(source.channel, () => void this.refresh());
    source.listener.onGap(() => void this.refresh());
  }

  get current(): T {
    return this.#current;
  }

  /** Calls `follower` after each read. @returns a function that unsubscribes */
  onRead(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Reads run one after another, so that the newest value is kept. */
  reload(): Promise<void> {
    const read = async () => {
      this.#current = await this.#source.read();
      for (const follower of this.#followers) follower();
    };
    this.#reading = this.#reading.then(read, read);
    return this.#reading;
  }

  /**
   * Reads the value after a change, before the process that changed it responds. A change is notified
   * only once, so a failed read is retried, without an error, until the listener stops.
   */
  async refresh(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      const { log, channel, listener } = this.#source;
      // A stopping process has closed its database, so retries would never end.
      if (listener.isStopped) return;
      log.warn({ err: error, channel }, "a changed value could not be read");
      setTimeout(() => void this.refresh(), retryMs).unref();
    }
  }
}
