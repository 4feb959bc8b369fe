import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A secret as Standard Webhooks writes it. */
export const newHookSecret = (): string => prefix + randomBytes(32).toString("base64");

/** What a receiver checks a message by. */
export interface Signing {
  readonly messageId: string;
  /** Of the try, in seconds since 1970. */
  readonly seconds: number;
  readonly body: string;
}

/** One signature for each secret, as Standard Webhooks has them. */
export const signaturesOf = (signing: Signing, secrets: readonly string[]): string =>
  secrets.map((secret) => signatureOf(signing, secret)).join(" ");

function signatureOf({ messageId, seconds, body }: Signing, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signed = createHmac("sha256", key).update(`${messageId}.${seconds}.${body}`);
  return `v1,${signed.digest("base64")}`;
}
