import type { LookupFunction } from "node:net";

import { Webhook } from "standardwebhooks";
import { Pool } from "undici";

import { answerCalls } from "../parts/answering.ts";

interface Given {
  readonly urls: readonly string[];
  readonly secret: string;
  readonly events: number;
  readonly body: string;
  /** The maximum number of concurrent requests per webhook. */
  readonly inFlight: number;
}

const lookup: LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: "127.0.0.1", family: 4 }]);

/** The baseline: signs and posts each message. @returns messages per second */
async function postAll({ urls, secret, events, body, inFlight }: Given): Promise<number> {
  const signer = new Webhook(secret);
  const startedAt = performance.now();
  await Promise.all(
    urls.map(async (text) => {
      const url = new URL(text);
      const pool = new Pool(url.origin, { connections: inFlight, connect: { lookup } });
      let left = events;
      const post = async (): Promise<void> => {
        while (left-- > 0) await postOne(pool, { path: url.pathname, signer, body });
      };
      await Promise.all(Array.from({ length: inFlight }, post));
      await pool.close();
    }),
  );
  return (events * urls.length) / ((performance.now() - startedAt) / 1_000);
}

interface Message {
  readonly path: string;
  readonly signer: Webhook;
  readonly body: string;
}

async function postOne(pool: Pool, { path, signer, body }: Message): Promise<void> {
  const [id, at] = [`msg_${crypto.randomUUID()}`, new Date()];
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signer.sign(id, at, body),
  };
  const answer = await pool.request({ method: "POST", path, headers, body });
  await answer.body.dump();
}

answerCalls({ postAll });
