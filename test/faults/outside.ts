import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { createRandom, type RandomSource } from "../simulator/random.ts";
import { NameServer } from "../support/push/name-server.ts";
import { pushEnvironment } from "../support/push/push-site.ts";
import { Receiver } from "../support/receiver/receiver.ts";
import type { History } from "./history.ts";

/** The names of the two receivers. The first one misbehaves, the second never does. */
export const hosts = ["struck.push.test", "well.push.test"] as const;
export type Host = (typeof hosts)[number];

/**
 * The timeout in production. With a shorter one, attempts would time out before a busy machine
 * reads their answers.
 */
const timeoutMs = 10_000;

const moods = [
  "well",
  "slow",
  "flaky",
  "limited",
  "cutting",
  "unavailable",
  "resting",
  "silent",
  "gone",
] as const;
type Mood = (typeof moods)[number];
/** The moods of the first receiver in a short run: the ways in which it treats requests. */
const briefMoods: readonly Mood[] = ["well", "slow", "flaky"];

/** The two servers that receive push messages and webhooks. The first one misbehaves. */
export class ExternalReceivers {
  readonly receiver: Receiver;
  readonly #history: History;
  readonly #random: RandomSource;
  readonly #names: NameServer;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "guildhall-outside-"));
  #mood: Mood = "well";

  private constructor(
    random: RandomSource,
    history: History,
    receiver: Receiver,
    names: NameServer,
  ) {
    this.#random = random;
    this.#history = history;
    this.receiver = receiver;
    this.#names = names;
    writeFileSync(this.#certificate, receiver.certificate.cert);
    for (const host of hosts) names.say(host, ["127.0.0.1"]);
  }

  static async start(seed: string, history: History): Promise<ExternalReceivers> {
    const [receiver, names] = [await Receiver.start(["*.push.test"]), await NameServer.start()];
    return new ExternalReceivers(createRandom(`outside ${seed}`), history, receiver, names);
  }

  get #certificate(): string {
    return path.join(this.#folder, "outside.pem");
  }

  /** The environment variables with which the service reaches the receivers. */
  get environment(): NodeJS.ProcessEnv {
    return {
      ...pushEnvironment(this.receiver, this.#names),
      NODE_EXTRA_CA_CERTS: this.#certificate,
      PUSH_RETRY: "500ms",
      PUSH_TIMEOUT: `${timeoutMs}ms`,
      WEBHOOK_RETRY: "100ms",
    };
  }

  /** Varies how the first receiver answers until the signal. Runs `act` after each change. */
  async strike(
    { random, withLong }: { readonly random: RandomSource; readonly withLong: boolean },
    signal: AbortSignal,
    act: () => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      this.#turn(random.pick(withLong ? moods : briefMoods));
      await act();
      await sleep(random.int(300, 2_500), undefined, { signal }).catch(() => undefined);
    }
    this.#turn("well");
  }

  /**
   * Answers a request as the receiver's present mood demands.
   * @param take called if the receiver accepts the message
   */
  answer(host: Host, response: ServerResponse, take: () => void): void {
    const mood = host === hosts[0] ? this.#mood : "well";
    if (mood === "slow") setTimeout(take, this.#random.int(50, 1_500));
    else if (mood === "limited") response.writeHead(429, { "retry-after": "1" }).end();
    else if (mood === "resting") response.writeHead(503, { "retry-after": "2" }).end();
    else if (mood === "cutting") response.socket?.destroy();
    else if (mood === "unavailable" || (mood === "flaky" && this.#random.chance(0.3))) {
      response.writeHead(503).end();
    } else if (mood !== "silent") take();
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    this.#names.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #turn(mood: Mood): void {
    this.#mood = mood;
    this.#history.note(`outside: ${mood}`);
    this.#names.say(hosts[0], mood === "gone" ? "fails" : ["127.0.0.1"]);
  }
}

export class RequestRefusedError extends Error {
  override readonly name = "Refused";
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
    this.status = status;
  }
}

/**
 * Sends a request to the API.
 * @returns the body of the answer
 * @throws {RequestRefusedError} if the answer is not a success
 */
export async function sendApiRequest<T>(
  url: string,
  method: string,
  { cookie, body }: { readonly cookie: string; readonly body?: object },
): Promise<T> {
  const headers = { cookie, "content-type": "application/json" };
  const response = await fetch(url, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new RequestRefusedError(url, response.status);
  return (await response.json()) as T;
}
