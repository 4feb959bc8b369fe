import type { Pool } from "undici";

import type { Config } from "../../platform/config/config.ts";
import { startDeadline } from "../../platform/net/deadline.ts";
import { PinnedPool } from "../../platform/net/pinned-pool.ts";
import { Breaker, type BreakerState } from "./breaker.ts";
import { findRelayAddresses, readEndpoint } from "./endpoint.ts";
import {
  createFailedOutcome,
  toFailedOutcome,
  isRelayFault,
  type PushOutcome,
  outcomeOfStatus,
} from "./faults.ts";
import {
  encryptMessage,
  type DeviceAddress,
  headersOf,
  type PushMessage,
  payloadOf,
  createVapidHeader,
} from "./message.ts";
import { PushCounts } from "./push-counts.ts";

/** The maximum number of concurrent messages of one process to one relay. */
export const maxConcurrentMessages = 20;

/** The connection closes after this many bytes of an answer. */
const maxAnswerBytes = 4_096;
/** The age at which a signature is renewed. Signatures are valid for half a day. */
const signatureMs = 6 * 3_600_000;

export interface AddressedMessage {
  readonly to: DeviceAddress;
  readonly message: PushMessage;
}

/** The connections of this process to one push relay. */
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
      connections: maxConcurrentMessages,
      timeoutMs: config.PUSH_TIMEOUT,
      findAddresses: () => findRelayAddresses(origin, config),
    });
  }

  /** Sends each message once, in parallel. Looks up and checks the relay's addresses again before connecting. */
  async send(letters: readonly AddressedMessage[]): Promise<PushOutcome[]> {
    const deadline = startDeadline(this.#config.PUSH_TIMEOUT);
    try {
      const outcomes = await this.#sendAll(letters, deadline.signal);
      this.breaker.record(outcomes.map(isRelayFault));
      this.#counts.record(outcomes);
      return outcomes;
    } finally {
      deadline.clear();
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #sendAll(
    letters: readonly AddressedMessage[],
    signal: AbortSignal,
  ): Promise<PushOutcome[]> {
    try {
      const authorization = await this.#sign();
      return await this.#connections.use((pool) =>
        Promise.all(
          letters.map((letter) => this.#sendOne(letter, { pool, authorization, signal })),
        ),
      );
    } catch (error) {
      return letters.map(() => toFailedOutcome(error));
    }
  }

  async #sendOne(
    { to, message }: AddressedMessage,
    { pool, authorization, signal }: { pool: Pool; authorization: string; signal: AbortSignal },
  ): Promise<PushOutcome> {
    // The configuration may have changed since the device was registered.
    const url = readEndpoint(to.endpoint, this.#config);
    if (typeof url === "string" || url.origin !== this.origin) {
      return createFailedOutcome("address");
    }
    try {
      const { statusCode, headers, body } = await pool.request({
        method: "POST",
        path: url.pathname + url.search,
        headers: headersOf(message, authorization),
        body: await encryptMessage(payloadOf(message), to),
        signal,
      });
      const after = headers["retry-after"];
      // The status is known already, so ignore an error while the rest of the answer is read.
      await body.dump({ limit: maxAnswerBytes, signal }).catch(() => undefined);
      return outcomeOfStatus(statusCode, Array.isArray(after) ? after[0] : after);
    } catch (error) {
      return toFailedOutcome(error);
    }
  }

  async #sign(): Promise<string> {
    const now = Date.now();
    if (!this.#signature || now - this.#signature.madeAt > signatureMs) {
      const header = await createVapidHeader(this.origin, this.#config);
      this.#signature = { header, madeAt: now };
    }
    return this.#signature.header;
  }
}

/** An unused relay is removed after this time, which is far longer than a job sends or an open breaker blocks. */
const unusedMs = 3_600_000;

interface CachedRelay {
  readonly relay: Relay;
  readonly askedAt: number;
}

/** The push relays in use. Unused ones are removed, so that devices at many relays do not fill the memory. */
export class RelayRegistry {
  readonly counts = new PushCounts();
  readonly #config: Config;
  readonly #now: () => number;
  readonly #known = new Map<string, CachedRelay>();

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
