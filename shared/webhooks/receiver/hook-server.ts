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
  createNoAnswerOutcome,
} from "./hook-outcome.ts";
import { findHookAddresses, readHookUrl } from "./hook-url.ts";

/** The maximum number of concurrent messages of one process to one webhook. */
export const maxConcurrentHookMessages = 5;

/** The connection closes after this many bytes of an answer. */
const maxAnswerBytes = 4_096;

export interface HookRequest {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly message: HookMessage;
}

/** The connections of this process to one server that receives webhooks. */
export class HookServer {
  readonly origin: string;
  readonly breaker = new Breaker();
  readonly #config: Config;
  readonly #connections: PinnedPool;

  constructor(origin: string, config: Config) {
    this.origin = origin;
    this.#config = config;
    this.#connections = new PinnedPool(origin, {
      connections: 2 * maxConcurrentHookMessages,
      timeoutMs: config.PUSH_TIMEOUT,
      findAddresses: () => findHookAddresses(origin, config),
    });
  }

  /** Posts one message once. It looks up and checks the server's addresses again before connecting. */
  async post(request: HookRequest): Promise<HookOutcome> {
    // The rules can have changed since the webhook was created, so check again.
    const url = readHookUrl(request.url, request.format, this.#config);
    if (typeof url === "string" || url.origin !== this.origin) {
      return createNoAnswerOutcome("address");
    }
    const deadline = startDeadline(this.#config.PUSH_TIMEOUT);
    try {
      const outcome = await this.#post(url, request, deadline.signal);
      this.breaker.record([isServerFault(outcome)]);
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
      const answer = await rejectOnAbort(answered, signal);
      const text = await readAnswerStart(answer.body);
      return hookOutcomeOf({ status: answer.statusCode, headers: answer.headers, text }, format);
    } catch (error) {
      return hookOutcomeOfError(error);
    }
  }
}

/** Rejects when the signal aborts, because a name lookup has no timeout of its own. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Reads the start of an answer. The status is known already, so an error in the body is ignored. */
async function readAnswerStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length >= maxAnswerBytes) break;
    }
  } catch {
    // Use the bytes received so far.
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString("utf8");
}

/** Returns true if the fault concerns the whole server and not only this webhook. */
const isServerFault = ({ status, fault }: HookOutcome): boolean => {
  if (status === null) return fault !== "address" && fault !== "certificate";
  return status >= 500 || status === 429;
};

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

  countByState(): Readonly<Record<BreakerState, number>> {
    return Breaker.countByState([...this.#servers.values()].map(({ breaker }) => breaker));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}
