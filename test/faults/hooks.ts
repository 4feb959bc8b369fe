import type { ServerResponse } from "node:http";

import { Webhook } from "standardwebhooks";

import type { ReceivingHook } from "../support/receiver/receiving-hook.ts";
import { type Host, hosts, type ExternalReceivers, sendApiRequest } from "./outside.ts";
import { DeliveryPhases } from "./reach.ts";

const hooksPerHost = 2;

/** The messages with one id that a webhook received. */
export interface ReceivedDeliveries {
  readonly tries: number;
  /** The number of messages that the receiver accepted. */
  readonly taken: number;
  /** The different bodies of the messages. */
  readonly bodies: ReadonlySet<string>;
}

export interface ObservedWebhook {
  readonly id: number;
  readonly host: Host;
  readonly came: Map<string, ReceivedDeliveries>;
  /** The received messages whose signature was wrong. */
  readonly faults: unknown[];
}

export interface LogLine {
  readonly message_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly code: number | null;
}

/**
 * Webhooks at the receivers. Each must get each announcement at least once, always under the same
 * id.
 */
export class ObservedWebhooks {
  readonly #outside: ExternalReceivers;
  readonly hooks: ObservedWebhook[] = [];
  readonly reach = new DeliveryPhases();
  #api = "";
  #cookie = "";

  constructor(outside: ExternalReceivers) {
    this.#outside = outside;
  }

  /** Creates the webhooks as an administrator does. */
  async follow(api: string, { cookie }: { readonly cookie: string }): Promise<void> {
    this.#api = `${api}/api/v1/admin/webhooks`;
    this.#cookie = cookie;
    for (const host of hosts) {
      for (let at = 0; at < hooksPerHost; at++) await this.#make(host);
    }
  }

  async log(hook: ObservedWebhook): Promise<LogLine[]> {
    const limit = 100;
    const lines: LogLine[] = [];
    for (;;) {
      const { deliveries } = await sendApiRequest<{ readonly deliveries: readonly LogLine[] }>(
        `${this.#api}/${hook.id}/deliveries?limit=${limit}&offset=${lines.length}`,
        "GET",
        { cookie: this.#cookie },
      );
      lines.push(...deliveries);
      if (deliveries.length < limit) return lines;
    }
  }

  async #make(host: Host): Promise<void> {
    const receiver = this.#outside.receiver.hook(host);
    const { webhook, secret } = await sendApiRequest<{ webhook: { id: number }; secret: string }>(
      this.#api,
      "POST",
      { cookie: this.#cookie, body: { url: receiver.url, streams: ["site.notice"] } },
    );
    const hook: ObservedWebhook = { id: webhook.id, host, came: new Map(), faults: [] };
    this.hooks.push(hook);
    receiver.behave = (response) => this.#answer(hook, { receiver, secret, response });
  }

  #answer(
    { host, came, faults }: ObservedWebhook,
    { receiver, secret, response }: Answering,
  ): void {
    const posted = receiver.posted.at(-1);
    if (!posted) return;
    const id = String(posted.headers["webhook-id"]);
    try {
      new Webhook(secret).verify(posted.body, posted.headers as Record<string, string>);
    } catch (error) {
      faults.push(error);
    }
    const before = came.get(id) ?? { tries: 0, taken: 0, bodies: new Set() };
    const bodies = new Set([...before.bodies, posted.body]);
    came.set(id, { ...before, tries: before.tries + 1, bodies });
    const take = (): void => {
      if (response.socket?.destroyed !== false) return;
      const now = came.get(id);
      if (now) came.set(id, { ...now, taken: now.taken + 1 });
      response.writeHead(204).end();
    };
    const isTaken = host !== hosts[0] && this.reach.take(response, take);
    if (!isTaken) this.#outside.answer(host, response, take);
  }
}

interface Answering {
  readonly receiver: ReceivingHook;
  readonly secret: string;
  readonly response: ServerResponse;
}
