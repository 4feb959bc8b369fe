import type { Listener } from "../notify/listener.ts";

/** Waits for notifications of one channel. Each wait is for one name in the payload. */
export class WakeUpListener {
  readonly #waiting = new Map<string, Set<() => void>>();

  static calls(listener: Listener): WakeUpListener {
    const bell = new WakeUpListener();
    listener.on("plugin_calls", ({ source }) => bell.notify(source));
    listener.onGap(() => bell.notifyAll());
    return bell;
  }

  static outcomes(listener: Listener): WakeUpListener {
    const bell = new WakeUpListener();
    listener.on("plugin_outcomes", ({ ids }) => ids.forEach((id) => bell.notify(id)));
    listener.onGap(() => bell.notifyAll());
    return bell;
  }

  notify(name: string): void {
    for (const wake of this.#waiting.get(name) ?? []) wake();
  }

  notifyAll(): void {
    for (const name of this.#waiting.keys()) this.notify(name);
  }

  /** Subscribes to a name. A notification that arrives between two waits is not lost. */
  subscribe(name: string): WakeUpSubscription {
    const hearing = new WakeUpSubscription((wake) => this.#leave(name, wake));
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

export class WakeUpSubscription {
  readonly #leave: (wake: () => void) => void;
  #rung = Promise.withResolvers<void>();

  constructor(leave: (wake: () => void) => void) {
    this.#leave = leave;
  }

  readonly wake = (): void => this.#rung.resolve();

  /** Returns at the next notification, at once if one has arrived since the last wait, or after `ms`. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(() => timeUp.resolve(), ms);
    const unsubscribe = (): void => timeUp.resolve();
    signal?.addEventListener("abort", unsubscribe, { once: true });
    if (signal?.aborted) unsubscribe();
    await Promise.race([this.#rung.promise, timeUp.promise]);
    clearTimeout(timer);
    signal?.removeEventListener("abort", unsubscribe);
    this.#rung = Promise.withResolvers();
  }

  unsubscribe(): void {
    this.#leave(this.wake);
  }
}
