import type { Config } from "../config/config.ts";
import { isPublicAddress } from "./public-address.ts";
import { resolveHost } from "./resolve-host.ts";

/** A name leads to an address where nothing that the site sends to may be. */
export class ForbiddenAddress extends Error {
  constructor() {
    super("the name leads to an address that is not public");
    this.name = "ForbiddenAddress";
  }
}

/**
 * The addresses that a host has now, each of them checked.
 * @throws {ForbiddenAddress} when any of them is not public; what `resolveHost` throws
 */
export async function checkedAddresses(host: string, config: Config): Promise<readonly string[]> {
  const addresses = await resolveHost(host, config.PUSH_DNS, config.PUSH_TIMEOUT);
  if (!addresses.every((address) => mayConnect(address, config))) throw new ForbiddenAddress();
  return addresses;
}

const mayConnect = (address: string, { PUSH_ALLOW_PRIVATE_FOR_TESTS }: Config): boolean =>
  isPublicAddress(address) || (PUSH_ALLOW_PRIVATE_FOR_TESTS && address === "127.0.0.1");
