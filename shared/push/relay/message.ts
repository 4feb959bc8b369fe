import { hash } from "node:crypto";

import type { Config } from "../../platform/config/config.ts";
import { readVapidKeys, readVapidSubject } from "./vapid.ts";

const contentEncoding = "aes128gcm";

/** A message to a device. It names the event but not its contents. */
export interface PushMessage {
  readonly stream: string;
  readonly ref: string;
  readonly urgency: "normal" | "high";
  /** How many seconds the relay keeps the message for an offline device. */
  readonly ttl: number;
}

/** The endpoint of a device, and its encryption keys. */
export interface DeviceAddress extends Recipient {
  readonly endpoint: string;
}

export const payloadOf = ({ stream, ref }: PushMessage): string => JSON.stringify({ stream, ref });

/** Returns the topic. A relay replaces a waiting message by a newer one with the same topic. */
const topicOf = ({ stream, ref }: PushMessage): string =>
  hash("sha256", `${stream}:${ref}`, "base64url").slice(0, 32);

export const headersOf = (message: PushMessage, authorization: string) => ({
  authorization,
  "content-encoding": contentEncoding,
  "content-type": "application/octet-stream",
  ttl: String(message.ttl),
  urgency: message.urgency,
  topic: topicOf(message),
});

interface Recipient {
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * Encrypts a message for one device, as RFC 8291 defines it.
 * @throws if the device's key is not a point of the curve
 */
export async function encryptMessage(text: string, { p256dh, auth }: Recipient): Promise<Buffer> {
  const { encrypt: encryptFor } = await loadWebPush();
  return encryptFor(p256dh, auth, text, contentEncoding).cipherText;
}

/** Returns the value of the header `Authorization` (RFC 8292) for messages to a relay. */
export async function createVapidHeader(origin: string, config: Config): Promise<string> {
  const keys = readVapidKeys(config);
  if (!keys) throw new Error("push is off");
  const { getVapidHeaders } = await loadWebPush();
  const subject = readVapidSubject(config);
  return getVapidHeaders(origin, subject, keys.publicKey, keys.privateKey, contentEncoding)
    .Authorization;
}

/**
 * Loads the library with the first message, because most processes never send one. It encrypts and
 * signs; `relay.ts` sends, since the library's own client would neither keep connections nor check addresses.
 */
const loadWebPush = async () => (await import("web-push")).default;
