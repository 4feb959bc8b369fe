import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Webhook } from "standardwebhooks";

import type { ReceivedRequest, ReceivingHook } from "../support/receiver/receiving-hook.ts";

const shown = 50;

/** All streams that the demo feeds by itself. */
const streams = [
  "news.post",
  "server.status",
  "idoc.warning",
  "champ.start",
  "governor.election",
  "site.notice",
  "event.run",
];

/** True if signed with the secret; null if the secret is unknown. */
interface Checked extends ReceivedRequest {
  readonly isSigned: boolean | null;
}

/** A webhook of the demo that checks signatures with its secret. */
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

  /** The settings of a webhook to it. */
  get asked() {
    return { url: this.#hook.url, streams };
  }

  /** Newest first. */
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

  /** @param made the site's answer to the creation @throws if that contains no secret */
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
