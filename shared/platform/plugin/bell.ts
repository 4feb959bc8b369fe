import type { Listener } from "../notify/listener.ts";

/** Waits for notifications of one channel, by the name in the notification. */
export class Bell {
  readonly #waiting = new Map<string, Set<() => void>>();

  static calls(listener: Listener): Bell {
    const bell = new Bell();
    listener.on("plugin_calls", ({ source }) => bell.ring(source));
    listener.onGap(() => bell.ringAll());
    return bell;
  }

  static outcomes(listener: Listener): Bell {
    const bell = new Bell();
    listener.on("plugin_outcomes", ({ ids }) => ids.forEach((id) => bell.ring(id)));
    listener.onGap(() => bell.ringAll());
    return bell;
  }

  ring(name: string): void {
    for (const wake of this.#waiting.get(name) ?? []) wake();
  }

  ringAll(): void {
    for (const name of this.#waiting.keys()) this.ring(name);
  }

  /** Subscribes to a name. A notification between two waits is not lost. */
  listen(name: string): Hearing {
    const hearing = new Hearing((wake) => this.#leave(name, wake));
    const all = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, all.add(hearing.wake));
    return hearing;
  }

  #leave(name: string, wake: () => void): void {
    const all = this.#waiting.get(name);
    all?.delete(wake);
    if (all?.size === 0) this.#waiting.delete(name);
  }
}

export class Hearing {
  readonly #leave: (wake: () => void) => void;
  #rung = Promise.withResolvers<void>();

  constructor(leave: (wake: () => void) => void) {
    this.#leave = leave;
  }

  readonly wake = (): void => this.#rung.resolve();

  /** Returns at the next notification, at once if one came since the last wait, or after `ms`. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(() => timeUp.resolve(), ms);
    const end = (): void => timeUp.resolve();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    await Promise.race([this.#rung.promise, timeUp.promise]);
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    this.#rung = Promise.withResolvers();
  }

  end(): void {
    this.#leave(this.wake);
  }
}
