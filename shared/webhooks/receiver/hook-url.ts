import { isIP } from "node:net";

import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import type { Config } from "../../platform/config/config.ts";
import { readOutsideUrl, readPlainUrl } from "../../platform/net/outside-url.ts";
import {
  checkedAddresses,
  requirePublicHost,
  resolveHost,
} from "../../platform/net/public-address.ts";

type Rules = Pick<Config, "WEBHOOK_ALLOWED_ORIGINS">;

/** Whether a webhook may be at an origin of any kind: plain http and private addresses too. */
const isAllowedOrigin = (origin: string, { WEBHOOK_ALLOWED_ORIGINS }: Rules): boolean =>
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

/**
 * The addresses that the host of a webhook has now. They are public ones, but for the origins that
 * the site allows.
 * @throws {ForbiddenAddress} {NoAddress} {ResolverFault}
 */
export async function findHookAddresses(
  origin: string,
  config: Config,
): Promise<readonly string[]> {
  const host = new URL(origin).hostname.replaceAll(/^\[|\]$/g, "");
  if (!isAllowedOrigin(origin, config)) return checkedAddresses(host, config);
  return isIP(host) === 0 ? resolveHost(host, config.PUSH_DNS, config.PUSH_TIMEOUT) : [host];
}

/**
 * Refuses an address whose name leads nowhere, or to where none may be.
 * @throws AppError that says which
 */
export const checkHookHost = ({ origin }: URL, config: Config): Promise<void> =>
  requirePublicHost(() => findHookAddresses(origin, config), {
    field: "url",
    unresolved: {
      code: "webhook_host_unresolved",
      message: "The webhook's host cannot be looked up at present",
    },
  });
