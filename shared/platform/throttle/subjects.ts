import type { Config } from "../config/config.ts";
import type { Networks, NetworkWidth } from "../net/networks.ts";

/** What a limit counts, and how many times the limit's number it may have. */
export interface Subject {
  readonly id: string;
  readonly times: number;
}

/** How many times the number of one address a network of each width may have. */
export const timesOf = ({
  RL_SITE_TIMES,
  RL_NETWORK_TIMES,
}: Config): Readonly<Record<NetworkWidth, number>> => ({
  address: 1,
  site: RL_SITE_TIMES,
  network: RL_NETWORK_TIMES,
});

/**
 * What a limit counts that is per address: the address and the wider networks it is part of, so that
 * who holds many addresses has little more than who holds one. The narrowest comes first.
 * @param narrowest `site`: an IPv6 /56 has the number of one address
 */
export function subjectsOf(
  networks: Networks,
  config: Config,
  narrowest: "address" | "site" = "address",
): readonly [Subject, ...Subject[]] {
  const start = networks.findIndex(({ width }) => width === narrowest);
  const [first, ...wider] = networks.slice(Math.max(0, start));
  const times = timesOf(config);
  return [
    { id: (first ?? networks[0]).key, times: 1 },
    ...wider.map(({ key, width }) => ({ id: key, times: times[width] })),
  ];
}
