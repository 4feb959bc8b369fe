import { waitUntil } from "../support/clock/wait.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";

/** The public status of the shard, as the API returns it. */
export interface Status {
  readonly status: string;
  readonly pluginConnected: boolean;
  readonly onlineCount: number;
  readonly lastEventAt: string | null;
}

/** Reads the public status. @returns undefined if the process does not answer */
export async function readStatus(url: string): Promise<Status | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/public/shard/status`);
    return response.ok ? ((await response.json()) as Status) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops the shard and waits until the status changes. Then starts it and waits until the status
 * recovers.
 */
export async function checkShardReconnects(service: Service, history: History): Promise<void> {
  const [, { url }] = service.apis;
  const untilStatus = (wanted: string): Promise<void> =>
    waitUntil(`the status is ${wanted}`, async () => (await readStatus(url))?.status === wanted);
  await untilStatus("connected");
  await service.simulator.kill();
  const killedAt = performance.now();
  await untilStatus("reconnecting");
  const reconnectingMs = Math.round(performance.now() - killedAt);
  await service.simulator.start();
  const backAt = performance.now();
  await untilStatus("connected");
  const connectedMs = Math.round(performance.now() - backAt);
  history.note("the shard was killed and came back", { reconnectingMs, connectedMs });
}
