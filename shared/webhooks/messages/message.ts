import { createHmac, randomBytes } from "node:crypto";

import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import { version } from "../../platform/process/version.ts";
import { siteName } from "../../platform/site-name.ts";
import { discordBodyOf } from "./discord.ts";

type Told = Pick<WebhookDelivery, "messageId" | "stream" | "data" | "happenedAt">;

interface Signer {
  readonly format: WebhookFormat;
  /** None where messages are not signed. */
  readonly secrets: readonly string[];
}

export interface HookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const common = {
  "content-type": "application/json",
  "user-agent": `${siteName}/${version}`,
} as const;

/** By which a receiver knows the message, however often it is sent. */
export const shownMessageId = (messageId: string): string => `msg_${messageId}`;

/** What is posted; it is signed anew for each try. */
export function messageOf(told: Told, { format, secrets }: Signer): HookMessage {
  if (format === "discord") return { headers: common, body: discordBodyOf(told) };
  const messageId = shownMessageId(told.messageId);
  const seconds = Math.floor(Date.now() / 1_000);
  const { stream: type, happenedAt: timestamp, data } = told;
  const body = JSON.stringify({ id: messageId, type, timestamp, data });
  return {
    headers: {
      ...common,
      "webhook-id": messageId,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signaturesOf({ messageId, seconds, body }, secrets),
    },
    body,
  };
}

const prefix = "whsec_";

/** A secret as Standard Webhooks writes it. */
export const newHookSecret = (): string => prefix + randomBytes(32).toString("base64");

/** What a receiver checks a message by. */
interface Signing {
  readonly messageId: string;
  /** Of the try, in seconds since 1970. */
  readonly seconds: number;
  readonly body: string;
}

/** One signature for each secret, as Standard Webhooks has them. */
const signaturesOf = (signing: Signing, secrets: readonly string[]): string =>
  secrets.map((secret) => signatureOf(signing, secret)).join(" ");

function signatureOf({ messageId, seconds, body }: Signing, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signed = createHmac("sha256", key).update(`${messageId}.${seconds}.${body}`);
  return `v1,${signed.digest("base64")}`;
}
