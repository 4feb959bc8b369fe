import { hash } from "node:crypto";

import type { Recipient } from "./encrypt.ts";

/** What a device is sent: what happened is not in it. */
export interface Message {
  readonly stream: string;
  readonly ref: string;
  readonly urgency: "normal" | "high";
  /** Seconds for which the relay keeps it for a device that is away. */
  readonly ttl: number;
}

/** Where a device is reached, and for whom a message is encrypted. */
export interface Address extends Recipient {
  readonly endpoint: string;
}

export const payloadOf = ({ stream, ref }: Message): string => JSON.stringify({ stream, ref });

/** Messages of one topic replace each other while they wait for a device. */
const topicOf = ({ stream, ref }: Message): string =>
  hash("sha256", `${stream}:${ref}`, "base64url").slice(0, 32);

export const headersOf = (message: Message, authorization: string) => ({
  authorization,
  "content-encoding": "aes128gcm",
  "content-type": "application/octet-stream",
  ttl: String(message.ttl),
  urgency: message.urgency,
  topic: topicOf(message),
});
