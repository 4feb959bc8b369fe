import { hash, createCipheriv, createECDH, randomBytes } from "node:crypto";

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

/** Returns the topic: a relay replaces a waiting message by a newer one with the same topic. */
const topicOf = ({ stream, ref }: PushMessage): string =>
  hash("sha256", `${stream}:${ref}`, "base64url").slice(0, 32);

export const headersOf = (message: PushMessage, authorization: string) => ({
  authorization,
  "content-encoding": "aes128gcm",
  "content-type": "application/octet-stream",
  ttl: String(message.ttl),
  urgency: message.urgency,
  topic: topicOf(message),
});

interface Recipient {
  readonly p256dh: string;
  readonly auth: string;
}

const blockBytes = 64;
const recordBytes = 4_096;
/** The length of an uncompressed point of P-256. */
const pointBytes = 65;
const endOfMessage = Buffer.from([2]);
const one = Buffer.from([1]);
const infoOfKeys = Buffer.from("WebPush: info\0");
const infoOfKey = Buffer.from("Content-Encoding: aes128gcm\0\u0001");
const infoOfNonce = Buffer.from("Content-Encoding: nonce\0\u0001");

/** Encrypts a message for one device, as RFC 8291 defines it. @throws if its key is not a point of the curve */
export function encrypt(text: string, { p256dh, auth }: Recipient): Buffer {
  const curve = createECDH("prime256v1");
  const ours = curve.generateKeys();
  const theirs = Buffer.from(p256dh, "base64url");
  const salt = randomBytes(16);
  const shared = hmac(Buffer.from(auth, "base64url"), curve.computeSecret(theirs));
  const secret = hmac(salt, hmac(shared, Buffer.concat([infoOfKeys, theirs, ours, one])));
  const key = hmac(secret, infoOfKey).subarray(0, 16);
  const nonce = hmac(secret, infoOfNonce).subarray(0, 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.update(endOfMessage), cipher.final()];
  return Buffer.concat([headOf(salt), ours, ...sealed, cipher.getAuthTag()]);
}

function headOf(salt: Buffer): Buffer {
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(recordBytes, 16);
  head.writeUInt8(pointBytes, 20);
  return head;
}

/** HMAC-SHA256 with a key of at most one block. Each message needs five, and Node's own is several times slower. */
function hmac(key: Buffer, data: Buffer): Buffer {
  const inner = Buffer.alloc(blockBytes + data.length, 0x36);
  const outer = Buffer.alloc(blockBytes + 32, 0x5c);
  for (let at = 0; at < key.length; at++) {
    inner[at] = (key[at] ?? 0) ^ 0x36;
    outer[at] = (key[at] ?? 0) ^ 0x5c;
  }
  data.copy(inner, blockBytes);
  hash("sha256", inner, "buffer").copy(outer, blockBytes);
  return hash("sha256", outer, "buffer");
}
