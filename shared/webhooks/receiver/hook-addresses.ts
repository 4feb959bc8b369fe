import { isIP } from "node:net";

import type { Config } from "../../config/config.ts";
import { AppError, invalidFields } from "../../errors.ts";
import { NoAddress, ResolverFault, resolveHost } from "../../net/resolve-host.ts";
import { checkedAddresses, ForbiddenAddress } from "../../push/relay/checked-addresses.ts";
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

const retrySeconds = 5;

/**
 * Refuses an address whose name leads nowhere, or to where none may be.
 * @throws AppError that says which
 */
export async function checkHookHost(url: URL, config: Config): Promise<void> {
  try {
    await findHookAddresses(url.origin, config);
  } catch (error) {
    if (error instanceof NoAddress) throw refuse("url names a host that does not exist");
    if (error instanceof ForbiddenAddress) throw refuse("url names a host that is not public");
    if (!(error instanceof ResolverFault)) throw error;
    const words = "The webhook's host cannot be looked up at present";
    throw new AppError("webhook_host_unresolved", words, {
      retryAfter: retrySeconds,
      cause: error,
    });
  }
}

const refuse = (message: string) => invalidFields([{ path: "url", message }]);
