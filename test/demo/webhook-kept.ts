import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Webhook } from "standardwebhooks";

import type { ReceivedRequest, ReceivingHook } from "../support/receiver/receiving-hook.ts";

const shown = 50;

/** The streams in which the demo produces messages by itself. */
const streams = [
  "news.post",
  "server.status",
  "idoc.warning",
  "champ.start",
  "governor.election",
  "site.notice",
  "event.run",
];

/**
 * A received message. `isSigned` is true if the signature matches, and null if the secret is
 * unknown.
 */
interface Checked extends ReceivedRequest {
  readonly isSigned: boolean | null;
}

/** The receiver of a webhook. It checks the signatures with the webhook's secret. */
export class DemoWebhook {
  readonly #hook: ReceivingHook;
  readonly #file: string;
  readonly #checked: Checked[] = [];

  constructor(hook: ReceivingHook, folder: string) {
    this.#hook = hook;
    this.#file = path.join(folder, "demo-webhook-secret");
    hook.behave = (response) => {
      const isGood = this.#check(hook.posted.at(-1));
      response.writeHead(isGood === false ? 401 : 204).end();
    };
  }

  /** The request body with which an administrator creates the webhook. */
  get asked() {
    return { url: this.#hook.url, streams };
  }

  /** The last deliveries, newest first. */
  get deliveries(): object[] {
    return this.#checked
      .slice(-shown)
      .toReversed()
      .map(({ receivedAt, isSigned, headers, body }) => ({
        receivedAt,
        isSigned,
        id: headers["webhook-id"],
        body: JSON.parse(body) as unknown,
      }));
  }

  /**
   * Stores the webhook's secret.
   * @param made the site's answer to the creation
   * @throws if the answer contains no secret
   */
  learn(made: string): void {
    const { secret } = JSON.parse(made) as { readonly secret?: unknown };
    if (typeof secret !== "string") throw new Error("there is no secret in it");
    writeFileSync(this.#file, secret, { mode: 0o600 });
  }

  #check(posted: ReceivedRequest | undefined): boolean | null {
    if (!posted) return null;
    const secret = this.#readSecret();
    const isSigned = secret === null ? null : isSignedBy(secret, posted);
    this.#checked.push({ ...posted, isSigned });
    return isSigned;
  }

  #readSecret(): string | null {
    try {
      return readFileSync(this.#file, "utf8");
    } catch {
      return null;
    }
  }
}

function isSignedBy(secret: string, { headers, body }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
