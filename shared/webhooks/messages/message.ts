import { createHmac, randomBytes } from "node:crypto";

import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import { version } from "../../platform/process/version.ts";
import { siteName } from "../../platform/site-name.ts";
import { buildDiscordBody } from "./discord.ts";

type MessageSource = Pick<WebhookDelivery, "messageId" | "stream" | "data" | "happenedAt">;

interface Signer {
  readonly format: WebhookFormat;
  /** The secrets that sign messages; empty if messages are not signed. */
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

/** The message id for receivers. It is the same for every attempt. */
export const toMessageId = (messageId: string): string => `msg_${messageId}`;

/** Builds the request. Each attempt gets a new signature. */
export function buildMessage(told: MessageSource, { format, secrets }: Signer): HookMessage {
  if (format === "discord") return { headers: common, body: buildDiscordBody(told) };
  const messageId = toMessageId(told.messageId);
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

/** Generates a secret in the format of Standard Webhooks. */
export const newHookSecret = (): string => prefix + randomBytes(32).toString("base64");

interface SignedContent {
  readonly messageId: string;
  /** The time of the attempt, in seconds since 1970. */
  readonly seconds: number;
  readonly body: string;
}

/** One signature per secret, in the format of Standard Webhooks. */
const signaturesOf = (signing: SignedContent, secrets: readonly string[]): string =>
  secrets.map((secret) => signatureOf(signing, secret)).join(" ");

function signatureOf({ messageId, seconds, body }: SignedContent, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signed = createHmac("sha256", key).update(`${messageId}.${seconds}.${body}`);
  return `v1,${signed.digest("base64")}`;
}
