import { isIP } from "node:net";

import type { WebhookFormat } from "../../../models/webhooks/webhook.ts";
import type { Config } from "../../platform/config/config.ts";
import { parseExternalUrl, parseHttpUrl } from "../../platform/net/external-url.ts";
import {
  resolvePublicAddresses,
  requirePublicHost,
  resolveHost,
} from "../../platform/net/public-address.ts";

type Rules = Pick<Config, "WEBHOOK_ALLOWED_ORIGINS">;

/** Returns true if the operator allows this origin, which can be plain http or a private address. */
const isAllowedOrigin = (origin: string, { WEBHOOK_ALLOWED_ORIGINS }: Rules): boolean =>
  WEBHOOK_ALLOWED_ORIGINS.includes(origin);

/** The path of a Discord webhook. Its last segment is a secret token. */
const discordPath = /^(\/api(?:\/v\d{1,2})?\/webhooks\/\d{1,20}\/)[\w-]{1,200}$/;

/** Parses a public https URL, or any URL at an allowed origin. @returns the URL, or the rule that it breaks */
export function readHookUrl(text: string, format: WebhookFormat, rules: Rules): URL | string {
  const plain = parseHttpUrl(text);
  if (typeof plain === "string") return plain;
  const url = isAllowedOrigin(plain.origin, rules) ? plain : parseExternalUrl(text);
  if (typeof url === "string" || format === "standard" || discordPath.test(url.pathname)) {
    return url;
  }
  return "must be a webhook of Discord, https://discord.com/api/webhooks/…";
}

/** Returns the address without its secret parts. */
export function maskHookUrl(url: URL, format: WebhookFormat): string {
  if (format === "discord") return `${url.origin}${discordPath.exec(url.pathname)?.[1] ?? "/"}…`;
  return url.search === "" ? url.href : `${url.origin}${url.pathname}?…`;
}

/**
 * Looks up a webhook host's addresses. They must be public unless the operator allows the origin.
 * @throws {ForbiddenAddressError} {HostNotFoundError} {ResolverError}
 */
export async function findHookAddresses(
  origin: string,
  config: Config,
): Promise<readonly string[]> {
  const host = new URL(origin).hostname.replaceAll(/^\[|\]$/g, "");
  if (!isAllowedOrigin(origin, config)) return resolvePublicAddresses(host, config);
  return isIP(host) === 0 ? resolveHost(host, config.PUSH_DNS, config.PUSH_TIMEOUT) : [host];
}

/** @throws AppError if the host name has no address or a forbidden one */
export const checkHookHost = ({ origin }: URL, config: Config): Promise<void> =>
  requirePublicHost(() => findHookAddresses(origin, config), {
    field: "url",
    unresolved: {
      code: "webhook_host_unresolved",
      message: "The webhook's host cannot be looked up at present",
    },
  });
