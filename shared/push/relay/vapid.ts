import { createECDH } from "node:crypto";

import type { Config } from "../../platform/config/config.ts";

/** Whether devices may be registered and are sent anything. */
export const isPushOn = ({ PUSH_ALLOWED_ORIGINS, VAPID_KEY }: Config): boolean =>
  PUSH_ALLOWED_ORIGINS.length > 0 && VAPID_KEY !== undefined;

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The pair that messages are signed with, base64url; null while push is off. */
export function vapidKeys(config: Config): VapidKeys | null {
  const { VAPID_KEY } = config;
  if (!isPushOn(config) || VAPID_KEY === undefined) return null;
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(VAPID_KEY, "base64url");
  return { publicKey: curve.getPublicKey("base64url"), privateKey: VAPID_KEY };
}

/** What browsers and apps subscribe with; null while push is off. */
export const vapidPublicKey = (config: Config): string | null =>
  vapidKeys(config)?.publicKey ?? null;

/** Whom a relay turns to about our messages. */
export function vapidSubject({ VAPID_SUBJECT, PUBLIC_BASE_URL, MAIL_FROM }: Config): string {
  if (VAPID_SUBJECT !== undefined) return VAPID_SUBJECT;
  if (PUBLIC_BASE_URL.startsWith("https:")) return PUBLIC_BASE_URL;
  return `mailto:${/<([^>]*)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}
