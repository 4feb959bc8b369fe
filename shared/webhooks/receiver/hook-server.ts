import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import type { Config } from "../../platform/config/config.ts";
import { startDeadline } from "../../platform/net/deadline.ts";
import { PinnedPool } from "../../platform/net/pinned-pool.ts";
import { Breaker, type BreakerState } from "../../push/relay/breaker.ts";
import type { HookMessage } from "../messages/message.ts";
import {
  HookCounts,
  type HookOutcome,
  hookOutcomeOf,
  hookOutcomeOfError,
  unsent,
} from "./hook-outcome.ts";
import { findHookAddresses, readHookUrl } from "./hook-url.ts";

/** Messages that one process has on their way to one webhook at the most. */
export const inFlight = 5;

/** Bytes of an answer that are read before its connection is closed. */
const answerBytes = 4_096;

export interface HookRequest {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly message: HookMessage;
}

/** A server at which webhooks are, as this process reaches it. */
export class HookServer {
  readonly origin: string;
  readonly breaker = new Breaker();
  readonly #config: Config;
  readonly #connections: PinnedPool;

  constructor(origin: string, config: Config) {
    this.origin = origin;
    this.#config = config;
    this.#connections = new PinnedPool(origin, {
      connections: 2 * inFlight,
      timeoutMs: config.PUSH_TIMEOUT,
      findAddresses: () => findHookAddresses(origin, config),
    });
  }

  /**
   * Posts one message once. The server's addresses are looked up and checked anew, and connections
   * lead to those that were checked.
   */
  async post(request: HookRequest): Promise<HookOutcome> {
    // The configuration may be another than when the webhook was made.
    const url = readHookUrl(request.url, request.format, this.#config);
    if (typeof url === "string" || url.origin !== this.origin) return unsent("address");
    const deadline = startDeadline(this.#config.PUSH_TIMEOUT);
    try {
      const outcome = await this.#post(url, request, deadline.signal);
      this.breaker.note([isOfServer(outcome)]);
      return outcome;
    } finally {
      deadline.clear();
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #post(
    url: URL,
    { format, message: { headers, body } }: HookRequest,
    signal: AbortSignal,
  ): Promise<HookOutcome> {
    try {
      const path = url.pathname + url.search;
      const given = { ...headers, "accept-encoding": "identity" };
      const answered = this.#connections.use((pool) =>
        pool.request({ method: "POST", path, headers: given, body, signal }),
      );
      const answer = await within(answered, signal);
      const text = await readBeginning(answer.body);
      return hookOutcomeOf({ status: answer.statusCode, headers: answer.headers, text }, format);
    } catch (error) {
      return hookOutcomeOfError(error);
    }
  }
}

/** Looking a name up may take as long as it wants; the try does not. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The answer is known by its head: what goes wrong with its body changes nothing. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length >= answerBytes) break;
    }
  } catch {
    // What had come is kept.
  }
  return Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8");
}

/** Whether an outcome speaks against the server itself, whatever webhook of it is asked for. */
const isOfServer = ({ status, fault }: HookOutcome): boolean => {
  if (status === null) return fault !== "address" && fault !== "certificate";
  return status >= 500 || status === 429;
};

/** The servers that this process has posted to. */
export class HookServers {
  readonly counts = new HookCounts();
  readonly #config: Config;
  readonly #servers = new Map<string, HookServer>();

  constructor(config: Config) {
    this.#config = config;
  }

  of(origin: string): HookServer {
    const known = this.#servers.get(origin);
    if (known) return known;
    const server = new HookServer(origin, this.#config);
    this.#servers.set(origin, server);
    return server;
  }

  /** How many servers there are of each state of the breaker. */
  countByState(): Readonly<Record<BreakerState, number>> {
    return Breaker.countByState([...this.#servers.values()].map(({ breaker }) => breaker));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}
