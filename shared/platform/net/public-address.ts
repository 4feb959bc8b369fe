import { lookup, Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

import ipaddr from "ipaddr.js";

import type { Config } from "../config/config.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { AppError, invalidFieldsError } from "../errors/errors.ts";

// Use one list per IP version, because a shared list would match IPv4 addresses as IPv6 addresses too.

/** IPv4 networks without public services. ipaddr.js knows only some of them. */
const nonPublicIpv4 = listOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

/** Only 2000::/3 is allocated. The last entries are the parts of it without public services. */
const nonPublicIpv6 = listOf("ipv6", [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]);

function listOf(version: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), version);
  }
  return list;
}

/** Returns true for a public address; false for private, reserved and IPv4-in-IPv6 addresses. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone, as in `fe80::1%eth0`, belongs to a local network of this machine.
  if (version === 0 || address.includes("%")) return false;
  if (ipaddr.parse(address).range() !== "unicast") return false;
  return version === 6
    ? !nonPublicIpv6.check(address, "ipv6")
    : !nonPublicIpv4.check(address, "ipv4");
}

interface HostField {
  readonly field: string;
  readonly unresolved: { readonly code: ErrorCode; readonly message: string };
}

const retrySeconds = 5;

/**
 * Refuses a host that does not exist or that is not public.
 * @throws AppError with the reason
 */
export async function requirePublicHost(
  find: () => Promise<unknown>,
  { field, unresolved: { code, message } }: HostField,
): Promise<void> {
  const refuse = (rule: string) =>
    invalidFieldsError([{ path: field, message: `${field} ${rule}` }]);
  try {
    await find();
  } catch (error) {
    if (error instanceof HostNotFoundError) throw refuse("names a host that does not exist");
    if (error instanceof ForbiddenAddressError) throw refuse("names a host that is not public");
    if (!(error instanceof ResolverError)) throw error;
    throw new AppError(code, message, { retryAfter: retrySeconds, cause: error });
  }
}

export class ForbiddenAddressError extends Error {
  constructor() {
    super("the host name resolves to an IP address that is not public");
    this.name = "ForbiddenAddressError";
  }
}

/** @throws {ForbiddenAddressError} if one of the addresses is not public; the errors of `resolveHost` */
export async function resolvePublicAddresses(
  host: string,
  config: Config,
): Promise<readonly string[]> {
  const addresses = await resolveHost(host, config.PUSH_DNS, config.PUSH_TIMEOUT);
  if (!addresses.every((address) => mayConnect(address, config))) throw new ForbiddenAddressError();
  return addresses;
}

const mayConnect = (address: string, { PUSH_ALLOW_PRIVATE_FOR_TESTS }: Config): boolean =>
  isPublicAddress(address) || (PUSH_ALLOW_PRIVATE_FOR_TESTS && address === "127.0.0.1");

export class HostNotFoundError extends Error {
  constructor() {
    super("the host name has no IP address");
    this.name = "HostNotFoundError";
  }
}

export class ResolverError extends Error {
  constructor(cause: unknown) {
    super("the host name could not be resolved", { cause });
    this.name = "ResolverError";
  }
}

const noAddressCodes = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Resolves a name without a cache.
 * @param server `address:port` of a name server, instead of the machine's own
 * @throws {HostNotFoundError} if the host name has no IP address
 * @throws {ResolverError} if there is no definite answer in time
 */
export async function resolveHost(
  name: string,
  server: string | undefined,
  withinMs: number,
): Promise<readonly string[]> {
  const addresses = await within(
    withinMs,
    server ? resolveAtServer(name, server) : resolveLocally(name),
  );
  if (addresses.length === 0) throw new HostNotFoundError();
  return addresses;
}

async function resolveLocally(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true }).catch(faultOf);
  return found.map(({ address }) => address);
}

async function resolveAtServer(name: string, server: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([server]);
  const found = await Promise.all([
    resolver.resolve4(name).catch(faultOf),
    resolver.resolve6(name).catch(faultOf),
  ]);
  return found.flat();
}

function faultOf(error: unknown): never[] {
  if (noAddressCodes.has(String((error as NodeJS.ErrnoException).code))) return [];
  throw new ResolverError(error);
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new ResolverError("the name server did not answer in time")),
      ms,
    );
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
