import { setTimeout as sleep } from "node:timers/promises";

import type { QueryResultRow } from "pg";

import { waitUntil } from "../support/clock/wait.ts";
import { findDifferences, type DatabaseReader } from "./check-states.ts";
import { type StoredEvent, storedEventsSql } from "./check-store.ts";
import type { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";
import type { ShardSimulatorClient } from "./shard.ts";
import { readStatus } from "./status.ts";

interface Scene {
  readonly service: Service;
  readonly shard: ShardSimulatorClient;
  readonly followers: readonly Follower[];
  readonly read: DatabaseReader;
  readonly history: History;
}

/**
 * Ends all faults and events of the shard. Waits until the tables match the shard and the followers
 * have the newest event.
 * @param rate of the shard so far, in events per second
 * @returns the stored events
 */
export async function settleShard(scene: Scene, rate: number): Promise<StoredEvent[]> {
  const { shard, read, history } = scene;
  await shard.present();
  await shard.clearFaults();
  await waitUntil("the game runs", async () => (await shard.status()).bootId !== null);
  // The shard sends its list of online players once in five seconds' worth of events. So emit six
  // seconds' worth.
  await shard.happen(rate * 6);
  await shard.setRate(0);
  history.note("settling");
  await untilSettled(scene);
  const stored = await read<StoredEvent & QueryResultRow>(storedEventsSql);
  await untilFollowed(scene, stored);
  await checkStatus(scene, stored);
  return stored;
}

async function untilSettled({ shard, read, history }: Scene): Promise<void> {
  let differences: string[] = [];
  const isSettled = async (): Promise<boolean> => {
    await sleep(250);
    if (!(await isCaughtUp(shard, read))) return false;
    differences = await findDifferences(shard, read);
    return differences.length === 0 && (await isCaughtUp(shard, read));
  };
  try {
    await waitUntil("all is stored and as it is on the shard", isSettled);
  } catch (error) {
    history.violate(String(error), { differences: differences.slice(0, 20) });
  }
}

async function isCaughtUp(shard: ShardSimulatorClient, read: DatabaseReader): Promise<boolean> {
  const { epoch, head } = await shard.status();
  const [source] = await read<{ epoch: string; seq: number; state: string; stale: string[] }>(
    "select epoch, seq, state, stale from ingest_sources where source = 'shard'",
  );
  const isAtHead = source?.epoch === epoch && source.seq === head;
  return isAtHead && source.state === "connected" && source.stale.length === 0;
}

async function untilFollowed({ followers }: Scene, stored: readonly StoredEvent[]): Promise<void> {
  const newest = stored.findLast(({ reach }) => reach === "public")?.id ?? 0;
  const haveAll = () => followers.every(({ lastEventId = 0 }) => lastEventId >= newest);
  // Ignore the timeout: the check of the streams reports each missing event, with other faults.
  await waitUntil("the followers have the newest", haveAll).catch(() => undefined);
}

async function checkStatus(
  { service, history }: Scene,
  stored: readonly StoredEvent[],
): Promise<void> {
  const lastEventAt = stored.at(-1)?.createdAt;
  const lastList = stored.findLast(({ kind }) => kind === "presence.online");
  for (const { url, process } of service.apis) {
    const status = await readStatus(url);
    const isRight =
      status?.status === "connected" &&
      status.pluginConnected &&
      status.onlineCount === lastList?.payload["count"] &&
      Math.abs(Date.parse(status.lastEventAt ?? "") - Number(lastEventAt)) < 1_000;
    history.claim(`${process.name} says how the shard is`, isRight, { status, lastEventAt });
  }
}
