import type { Pool } from "undici";

import type { Config } from "../../platform/config/config.ts";
import { startDeadline } from "../../platform/net/deadline.ts";
import { PinnedPool } from "../../platform/net/pinned-pool.ts";
import { Breaker, type BreakerState } from "./breaker.ts";
import { findRelayAddresses, readEndpoint } from "./endpoint.ts";
import { failed, failedOf, isOfRelay, type Outcome, outcomeOf } from "./faults.ts";
import { encrypt, type Address, headersOf, type Message, payloadOf } from "./message.ts";
import { PushCounts } from "./push-counts.ts";
import { vapidKeys, vapidSubject } from "./vapid.ts";

/** Messages that one process has on their way to one relay at the most. */
export const inFlight = 20;

/** Bytes of an answer that are read before its connection is closed. */
const answerBytes = 4_096;
/** A signature is good for half a day, and made anew before that. */
const signatureMs = 6 * 3_600_000;

export interface Letter {
  readonly to: Address;
  readonly message: Message;
}

/** One push relay, as this process reaches it. */
export class Relay {
  readonly origin: string;
  readonly breaker = new Breaker();
  readonly #config: Config;
  readonly #counts: PushCounts;
  readonly #connections: PinnedPool;
  #signature: { readonly header: string; readonly madeAt: number } | undefined;

  constructor(origin: string, config: Config, counts: PushCounts) {
    this.origin = origin;
    this.#config = config;
    this.#counts = counts;
    this.#connections = new PinnedPool(origin, {
      connections: inFlight,
      timeoutMs: config.PUSH_TIMEOUT,
      findAddresses: () => findRelayAddresses(origin, config),
    });
  }

  /**
   * Makes one try of each letter, all at once. The relay's addresses are looked up and checked
   * anew, and connections lead to those that were checked.
   */
  async send(letters: readonly Letter[]): Promise<Outcome[]> {
    const deadline = startDeadline(this.#config.PUSH_TIMEOUT);
    try {
      const outcomes = await this.#sendAll(letters, deadline.signal);
      this.breaker.note(outcomes.map(isOfRelay));
      this.#counts.note(outcomes);
      return outcomes;
    } finally {
      deadline.clear();
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #sendAll(letters: readonly Letter[], signal: AbortSignal): Promise<Outcome[]> {
    try {
      const authorization = await this.#sign();
      return await this.#connections.use((pool) =>
        Promise.all(
          letters.map((letter) => this.#sendOne(letter, { pool, authorization, signal })),
        ),
      );
    } catch (error) {
      return letters.map(() => failedOf(error));
    }
  }

  async #sendOne(
    { to, message }: Letter,
    { pool, authorization, signal }: { pool: Pool; authorization: string; signal: AbortSignal },
  ): Promise<Outcome> {
    // The configuration may be another than when the device was registered.
    const url = readEndpoint(to.endpoint, this.#config);
    if (typeof url === "string" || url.origin !== this.origin) return failed("address");
    try {
      const { statusCode, headers, body } = await pool.request({
        method: "POST",
        path: url.pathname + url.search,
        headers: headersOf(message, authorization),
        body: encrypt(payloadOf(message), to),
        signal,
      });
      const after = headers["retry-after"];
      // The answer is known; what comes after its head changes nothing.
      await body.dump({ limit: answerBytes, signal }).catch(() => undefined);
      return outcomeOf(statusCode, Array.isArray(after) ? after[0] : after);
    } catch (error) {
      return failedOf(error);
    }
  }

  async #sign(): Promise<string> {
    const now = Date.now();
    if (!this.#signature || now - this.#signature.madeAt > signatureMs) {
      const header = await signFor(this.origin, this.#config);
      this.#signature = { header, madeAt: now };
    }
    return this.#signature.header;
  }
}

async function signFor(origin: string, config: Config): Promise<string> {
  const keys = vapidKeys(config);
  if (!keys) throw new Error("push is off");
  // Most processes never send a message, so what signs is loaded with the first one.
  const { getVapidHeaders } = (await import("web-push")).default;
  const subject = vapidSubject(config);
  return getVapidHeaders(origin, subject, keys.publicKey, keys.privateKey, "aes128gcm")
    .Authorization;
}

/** Far longer than a run that sends to a relay, and than a relay rests. */
const unusedMs = 3_600_000;

interface Known {
  readonly relay: Relay;
  readonly askedAt: number;
}

/** The push relays that this process has sent to. Who has devices at many of them fills no memory. */
export class Relays {
  readonly counts = new PushCounts();
  readonly #config: Config;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(config: Config, now: () => number = () => performance.now()) {
    this.#config = config;
    this.#now = now;
  }

  of(origin: string): Relay {
    const known = this.#known.get(origin);
    const askedAt = this.#now();
    if (!known) this.#forgetUnused(askedAt);
    const relay = known?.relay ?? new Relay(origin, this.#config, this.counts);
    this.#known.set(origin, { relay, askedAt });
    return relay;
  }

  /** How many relays there are of each state of the breaker. */
  countByState(): Readonly<Record<BreakerState, number>> {
    return Breaker.countByState(this.#all().map(({ breaker }) => breaker));
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((relay) => relay.close()));
  }

  #all(): Relay[] {
    return [...this.#known.values()].map(({ relay }) => relay);
  }

  #forgetUnused(now: number): void {
    for (const [origin, { relay, askedAt }] of this.#known) {
      if (now - askedAt < unusedMs) continue;
      this.#known.delete(origin);
      void relay.close();
    }
  }
}
