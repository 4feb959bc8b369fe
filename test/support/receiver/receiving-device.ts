import { createPublicKey, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { UserAgent } from "../push/user-agent.ts";
import { answer, type Behaviour } from "./behaviour.ts";

/** A message as a device receives it: decrypted, with a verified signature. */
export interface ReceivedMessage {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The signed audience, expiry and subject. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** The key that signed it. */
  readonly publicKey: string;
  readonly at: number;
  readonly receivedAt: Date;
}

/** The holder of the private keys. */
export type Agent = Pick<UserAgent, "keys" | "read">;

/** A device that the receiver serves. */
export class ReceivingDevice {
  readonly endpoint: string;
  readonly agent: Agent;
  readonly received: ReceivedMessage[] = [];
  /** Messages that it could not decrypt or that have the wrong signer. */
  readonly faults: unknown[] = [];
  behave: Behaviour = answer(201);

  constructor(endpoint: string, agent: Agent) {
    this.endpoint = endpoint;
    this.agent = agent;
  }

  /** The number of messages received. */
  get count(): number {
    return this.received.length + this.faults.length;
  }

  /** In the form of a browser's `PushSubscription.toJSON()`. */
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

/** @throws if the message is not for the agent or its signature violates RFC 8292 */
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
