/** A console bans an address for five minutes after five wrong passwords. */
const windowMs = 5 * 60_000;
const mostInWindow = 3;
const secondTryMs = 60_000;
const laterTryMs = 330_000;
const maxConsoles = 1_000;

/**
 * The refused passwords of this process by console, over all feeds and tests of a link: an administrator
 * who saves a link again and again must not get the address of the service banned.
 */
class DialAttempts {
  readonly #refused = new Map<string, number[]>();

  /** Returns the milliseconds after which the console may be dialed. @param now epoch milliseconds */
  waitMs(host: string, port: number, now: number): number {
    const recent = this.#recent(host, port, now);
    const oldest = recent.at(-mostInWindow);
    return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
  }

  recordRefusal(host: string, port: number, now: number): void {
    const key = keyOf(host, port);
    const recent = [...this.#recent(host, port, now), now];
    this.#refused.delete(key);
    this.#refused.set(key, recent);
    const [eldest] = this.#refused.keys();
    if (this.#refused.size > maxConsoles && eldest !== undefined) this.#refused.delete(eldest);
  }

  #recent(host: string, port: number, now: number): number[] {
    const times = this.#refused.get(keyOf(host, port)) ?? [];
    return times.filter((time) => now - time < windowMs);
  }
}

const keyOf = (host: string, port: number): string => `${host.toLowerCase()}:${port}`;

export const dialAttempts = new DialAttempts();

/** Returns the wait after refused passwords. @param refusals number of refusals in a row */
export const waitAfterRefusal = (refusals: number): number =>
  refusals <= 1 ? secondTryMs : laterTryMs;
