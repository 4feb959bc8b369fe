import { createECDH } from "node:crypto";

import type { Config } from "../../platform/config/config.ts";

/** Returns true if devices can be registered and get messages. */
export const isPushEnabled = ({ PUSH_ALLOWED_ORIGINS, VAPID_KEY }: Config): boolean =>
  PUSH_ALLOWED_ORIGINS.length > 0 && VAPID_KEY !== undefined;

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the base64url key pair that signs messages; null if push is off. */
export function readVapidKeys(config: Config): VapidKeys | null {
  const { VAPID_KEY } = config;
  if (!isPushEnabled(config) || VAPID_KEY === undefined) return null;
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(VAPID_KEY, "base64url");
  return { publicKey: curve.getPublicKey("base64url"), privateKey: VAPID_KEY };
}

/** Returns the key that browsers and apps subscribe with; null if push is off. */
export const vapidPublicKey = (config: Config): string | null =>
  readVapidKeys(config)?.publicKey ?? null;

/** Returns the contact for relay operators. */
export function readVapidSubject({ VAPID_SUBJECT, PUBLIC_BASE_URL, MAIL_FROM }: Config): string {
  if (VAPID_SUBJECT !== undefined) return VAPID_SUBJECT;
  if (PUBLIC_BASE_URL.startsWith("https:")) return PUBLIC_BASE_URL;
  return `mailto:${/<([^>]*)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}
