import { isIP } from "node:net";

import type { Config } from "../../platform/config/config.ts";
import { checkedAddresses } from "../../platform/net/checked-addresses.ts";
import { requirePublicHost } from "../../platform/net/public-host.ts";
import { resolveHost } from "../../platform/net/resolve-host.ts";
import { isAllowedOrigin } from "./hook-url.ts";

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
