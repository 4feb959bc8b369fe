import { mergeVisibility } from "../../shared/shard/visibility/visibility.ts";
import type { DatabaseReader } from "./check-states.ts";
import { checkStore } from "./check-store.ts";
import { streamProjectionOf, checkStream } from "./check-streams.ts";
import type { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";
import { settleShard } from "./settle.ts";
import type { ShardSimulatorClient } from "./shard.ts";

interface Scene {
  readonly service: Service;
  readonly shard: ShardSimulatorClient;
  readonly followers: readonly Follower[];
  readonly read: DatabaseReader;
  readonly history: History;
}

/**
 * Waits until everything is settled and stops the followers. Then requires that each event of the
 * shard is stored once and that each follower got all events of its stream.
 * @param rate of the shard so far, in events per second
 */
export async function checkEvents(scene: Scene, rate: number): Promise<void> {
  const { service, shard, followers, history } = scene;
  const stored = await settleShard(scene, rate);
  await Promise.all(followers.map((follower) => follower.stop()));
  history.find("store", checkStore(await shard.log(), stored, service.journal, history));
  const visibility = mergeVisibility({});
  for (const follower of followers) {
    const carried = streamProjectionOf(follower.stream, visibility);
    history.find("stream", checkStream(follower, stored, carried, history));
  }
}
