import { createPublicKey, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { UserAgent } from "../push/user-agent.ts";
import { answer, type Behaviour } from "./behaviour.ts";

/** A message that a device received. It is decrypted, and its signature was checked. */
export interface ReceivedMessage {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The signed audience, end of validity and subject. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** The key of the signature. */
  readonly publicKey: string;
  readonly at: number;
  readonly receivedAt: Date;
}

/** The keys of a device, and a function that decrypts its messages. */
export type Agent = Pick<UserAgent, "keys" | "read">;

/** A device whose relay is the receiver. */
export class ReceivingDevice {
  readonly endpoint: string;
  readonly agent: Agent;
  readonly received: ReceivedMessage[] = [];
  /** Errors about messages that could not be decrypted or have a wrong signature. */
  readonly faults: unknown[] = [];
  behave: Behaviour = answer(201);

  constructor(endpoint: string, agent: Agent) {
    this.endpoint = endpoint;
    this.agent = agent;
  }

  /** The number of messages, including wrong ones. */
  get count(): number {
    return this.received.length + this.faults.length;
  }

  /** The subscription as a browser returns it from `PushSubscription.toJSON()`. */
  get subscription() {
    return { endpoint: this.endpoint, expirationTime: null, keys: this.agent.keys };
  }

  get payloads(): unknown[] {
    return this.received.map(({ payload }) => payload);
  }

  take(request: IncomingMessage, body: Buffer): void {
    try {
      const times = { at: performance.now(), receivedAt: new Date() };
      this.received.push({ ...readMessage(request, body, this.agent), ...times });
    } catch (error) {
      this.faults.push(error);
    }
  }
}

/**
 * Decrypts a message and checks its signature.
 * @throws if the message is for another device, or if its signature violates RFC 8292
 */
function readMessage(
  { headers, method }: IncomingMessage,
  body: Buffer,
  agent: Agent,
): Omit<ReceivedMessage, "at" | "receivedAt"> {
  if (method !== "POST" || headers["content-encoding"] !== "aes128gcm") {
    throw new Error(`it is no message: ${method} ${headers["content-encoding"]}`);
  }
  const { claims, publicKey } = readSignature(headers.authorization ?? "");
  return {
    payload: agent.read(body),
    headers: headers as ReceivedMessage["headers"],
    claims,
    publicKey,
  };
}

function readSignature(authorization: string): Pick<ReceivedMessage, "claims" | "publicKey"> {
  const [, token = "", publicKey = ""] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString("base64url"),
  );
  const key = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" },
    format: "jwk",
  });
  const isGood = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isGood) throw new Error("the signature is not good");
  return {
    claims: JSON.parse(Buffer.from(claims, "base64url").toString()) as ReceivedMessage["claims"],
    publicKey,
  };
}
