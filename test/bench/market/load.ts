import { Agent, get } from "node:http";

import { quantile } from "../bench.ts";

export interface MarketLoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Requests the paths in turn on this many connections for this long, or until there are no more paths. */
export async function measureMarketLoad(
  origin: string,
  paths: () => string | undefined,
  { connections, ms }: { readonly connections: number; readonly ms: number },
): Promise<MarketLoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  const startedAt = performance.now();
  const ask = async (): Promise<void> => {
    while (performance.now() - startedAt < ms) {
      const path = paths();
      if (path === undefined) return;
      const askedAt = performance.now();
      await read(origin + path, agent);
      took.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

const read = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.on("end", resolve).on("error", reject).resume();
    });
    request.on("error", reject);
  });
