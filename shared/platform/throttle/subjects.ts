import type { Config } from "../config/config.ts";
import type { AddressNetworks, NetworkWidth } from "../net/networks.ts";

/** A counted subject, with the multiple of the limit that it may use. */
export interface CountedSubject {
  readonly id: string;
  readonly times: number;
}

/** Returns the multiple of the limit for each width of network. */
export const limitFactors = ({
  RL_SITE_TIMES,
  RL_NETWORK_TIMES,
}: Config): Readonly<Record<NetworkWidth, number>> => ({
  address: 1,
  site: RL_SITE_TIMES,
  network: RL_NETWORK_TIMES,
});

/**
 * Returns the subjects of a limit per address: the address and its wider networks, narrowest first.
 * Networks are counted so that a client with many addresses gets little more than with one address.
 * @param narrowest `site` if an IPv6 /56 has the limit of one address
 */
export function listLimitSubjects(
  networks: AddressNetworks,
  config: Config,
  narrowest: "address" | "site" = "address",
): readonly [CountedSubject, ...CountedSubject[]] {
  const start = networks.findIndex(({ width }) => width === narrowest);
  const [first, ...wider] = networks.slice(Math.max(0, start));
  const factor = limitFactors(config);
  return [
    { id: (first ?? networks[0]).key, times: 1 },
    ...wider.map(({ key, width }) => ({ id: key, times: factor[width] })),
  ];
}
