import { lookup, Resolver } from "node:dns/promises";

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
