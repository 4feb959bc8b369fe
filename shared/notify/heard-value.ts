import type { Listener } from "../db/listen.ts";
import type { Logger } from "../log.ts";
import type { Channel } from "./channels.ts";

/** Where a value is stored, and on which channel a change of it is told. */
export interface Heard<T> {
  readonly channel: Channel;
  readonly read: () => Promise<T>;
  /** What holds until the first read. */
  readonly initial: T;
  readonly listener: Listener;
  readonly log: Logger;
}

const retryMs = 1_000;

/** A stored value every request needs: held in memory, and read again when it was changed. */
export class HeardValue<T> {
  readonly #heard: Heard<T>;
  #current: T;
  #reading: Promise<void> = Promise.resolve();

  constructor(heard: Heard<T>) {
    this.#heard = heard;
    this.#current = heard.initial;
    heard.listener.on(heard.channel, () => this.#reloadUntilRead());
    heard.listener.onGap(() => this.#reloadUntilRead());
  }

  get current(): T {
    return this.#current;
  }

  /** Reads what is stored; calls follow one another, so the newest read wins. */
  reload(): Promise<void> {
    const read = async () => {
      this.#current = await this.#heard.read();
    };
    this.#reading = this.#reading.then(read, read);
    return this.#reading;
  }

  /** A change was told once: a read that fails is tried until it succeeds. */
  #reloadUntilRead(): void {
    this.reload().catch((error: unknown) => {
      const { log, channel } = this.#heard;
      log.warn({ err: error, channel }, "a changed value could not be read");
      setTimeout(() => this.#reloadUntilRead(), retryMs).unref();
    });
  }
}
