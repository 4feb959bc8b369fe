import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import type { Config } from "../../platform/config/config.ts";
import { readOutsideUrl, readPlainUrl } from "../../platform/net/outside-url.ts";

type Rules = Pick<Config, "WEBHOOK_ALLOWED_ORIGINS">;

/** Whether a webhook may be at an origin of any kind: plain http and private addresses too. */
export const isAllowedOrigin = (origin: string, { WEBHOOK_ALLOWED_ORIGINS }: Rules): boolean =>
  WEBHOOK_ALLOWED_ORIGINS.includes(origin);

/** As Discord makes them: the last part is as good as a password. */
const discordPath = /^(\/api(?:\/v\d{1,2})?\/webhooks\/\d{1,20}\/)[\w-]{1,200}$/;

/**
 * Reads the address of a webhook: https and outside, but for the origins that the site allows.
 * @returns the URL, or the rule that it breaks
 */
export function readHookUrl(text: string, format: WebhookFormat, rules: Rules): URL | string {
  const plain = readPlainUrl(text);
  if (typeof plain === "string") return plain;
  const url = isAllowedOrigin(plain.origin, rules) ? plain : readOutsideUrl(text);
  if (typeof url === "string" || format === "standard" || discordPath.test(url.pathname)) {
    return url;
  }
  return "must be a webhook of Discord, https://discord.com/api/webhooks/…";
}

/** The address without what only its receiver should know. */
export function showHookUrl(url: URL, format: WebhookFormat): string {
  if (format === "discord") return `${url.origin}${discordPath.exec(url.pathname)?.[1] ?? "/"}…`;
  return url.search === "" ? url.href : `${url.origin}${url.pathname}?…`;
}
