import type { Logger } from "../log.ts";
import type { Channel } from "./channels.ts";
import type { Listener } from "./listener.ts";

/** Where a value is stored, and which channel tells of its changes. */
export interface LiveValueSource<T> {
  readonly channel: Channel;
  readonly read: () => Promise<T>;
  /** What holds until the first read. */
  readonly initial: T;
  readonly listener: Listener;
  readonly log: Logger;
}

const retryMs = 1_000;

/** A stored value that every request needs: held in memory, and read again after each change. */
export class LiveValue<T> {
  readonly #source: LiveValueSource<T>;
  #current: T;
  #reading: Promise<void> = Promise.resolve();

  constructor(source: LiveValueSource<T>) {
    this.#source = source;
    this.#current = source.initial;
    source.listener.on(source.channel, () => void this.follow());
    source.listener.onGap(() => void this.follow());
  }

  get current(): T {
    return this.#current;
  }

  /** Reads what is stored. Reads follow one another, so the newest one wins. */
  reload(): Promise<void> {
    const read = async () => {
      this.#current = await this.#source.read();
    };
    this.#reading = this.#reading.then(read, read);
    return this.#reading;
  }

  /**
   * After a change: a process that made it knows it before it answers. A change is notified once, so
   * a read that fails is tried until it succeeds or the listener is stopped, and fails nobody.
   */
  async follow(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      const { log, channel, listener } = this.#source;
      // The database of a process that ends is closed already, and would be asked for ever.
      if (listener.isStopped) return;
      log.warn({ err: error, channel }, "a changed value could not be read");
      setTimeout(() => void this.follow(), retryMs).unref();
    }
  }
}
