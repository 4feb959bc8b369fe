import { lookup, Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

import ipaddr from "ipaddr.js";

import type { Config } from "../config/config.ts";
import type { ErrorCode } from "../errors/error-codes.ts";
import { AppError, invalidFields } from "../errors/errors.ts";

// Of each version a list of its own: one list would look an IPv4 address up as an IPv6 one too.

/** IPv4 networks where no service of the public internet is; the library's own list lacks some. */
const closed4 = listOf("ipv4", [
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

/** Of IPv6 only 2000::/3 is given out; what of that leads elsewhere stands last. */
const closed6 = listOf("ipv6", [
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

/**
 * Whether an address belongs to a service of the public internet, and not to this machine, its
 * network or nobody. IPv4 addresses that are written or carried as IPv6 do not.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone, as in `fe80::1%eth0`, is for links of this machine.
  if (version === 0 || address.includes("%")) return false;
  if (ipaddr.parse(address).range() !== "unicast") return false;
  return version === 6 ? !closed6.check(address, "ipv6") : !closed4.check(address, "ipv4");
}

interface Asked {
  /** The field of the input that names the host. */
  readonly field: string;
  /** What is told where nobody can say which addresses the host has. */
  readonly unresolved: { readonly code: ErrorCode; readonly message: string };
}

const retrySeconds = 5;

/**
 * Refuses a host whose name leads nowhere, or to where none may be.
 * @param find looks its addresses up, as `checkedAddresses` does
 * @throws AppError that says which
 */
export async function requirePublicHost(
  find: () => Promise<unknown>,
  { field, unresolved: { code, message } }: Asked,
): Promise<void> {
  const refuse = (rule: string) => invalidFields([{ path: field, message: `${field} ${rule}` }]);
  try {
    await find();
  } catch (error) {
    if (error instanceof NoAddress) throw refuse("names a host that does not exist");
    if (error instanceof ForbiddenAddress) throw refuse("names a host that is not public");
    if (!(error instanceof ResolverFault)) throw error;
    throw new AppError(code, message, { retryAfter: retrySeconds, cause: error });
  }
}

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

/** A name has no address. */
export class NoAddress extends Error {
  constructor() {
    super("the name has no address");
    this.name = "NoAddress";
  }
}

/** Nobody could say which addresses a name has. */
export class ResolverFault extends Error {
  constructor(cause: unknown) {
    super("the name could not be looked up", { cause });
    this.name = "ResolverFault";
  }
}

const meansNone = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * All addresses of a name, asked for anew each time.
 * @param server `address:port` of a name server that is asked instead of the machine's own
 * @throws {NoAddress} when it has none
 * @throws {ResolverFault} when that cannot be told in time
 */
export async function resolveHost(
  name: string,
  server: string | undefined,
  withinMs: number,
): Promise<readonly string[]> {
  const addresses = await within(withinMs, server ? askServer(name, server) : askMachine(name));
  if (addresses.length === 0) throw new NoAddress();
  return addresses;
}

async function askMachine(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true }).catch(faultOf);
  return found.map(({ address }) => address);
}

async function askServer(name: string, server: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([server]);
  const found = await Promise.all([
    resolver.resolve4(name).catch(faultOf),
    resolver.resolve6(name).catch(faultOf),
  ]);
  return found.flat();
}

function faultOf(error: unknown): never[] {
  if (meansNone.has(String((error as NodeJS.ErrnoException).code))) return [];
  throw new ResolverFault(error);
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ResolverFault("it took too long")), ms);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
