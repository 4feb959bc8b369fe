import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

import { answer, type Behaviour } from "./behaviour.ts";

/** A request that a webhook received. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  readonly receivedAt: Date;
}

/** The address of a webhook. It keeps the requests it receives. */
export class ReceivingHook {
  readonly url: string;
  readonly posted: ReceivedRequest[] = [];
  behave: Behaviour = answer(204);

  constructor(url: string) {
    this.url = url;
  }

  get count(): number {
    return this.posted.length;
  }

  get ids(): unknown[] {
    return this.posted.map(({ headers }) => headers["webhook-id"]);
  }

  get bodies(): unknown[] {
    return this.posted.map(({ body }) => JSON.parse(body) as unknown);
  }

  take({ headers }: IncomingMessage, body: Buffer): void {
    const times = { at: performance.now(), receivedAt: new Date() };
    this.posted.push({ headers, body: body.toString(), ...times });
  }
}
