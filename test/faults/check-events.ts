import { mergeVisibility } from "../../shared/shard/visibility/visibility.ts";
import type { Read } from "./check-states.ts";
import { checkStore } from "./check-store.ts";
import { carriedBy, checkStream } from "./check-streams.ts";
import type { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";
import { settle } from "./settle.ts";
import type { Shard } from "./shard.ts";

interface Scene {
  readonly service: Service;
  readonly shard: Shard;
  readonly followers: readonly Follower[];
  readonly read: Read;
  readonly history: History;
}

/**
 * Waits until everything is settled and stops the followers. Then requires that each event of the
 * shard is stored once and that each follower got all events of its stream.
 * @param rate of the shard so far, in events per second
 */
export async function checkEvents(scene: Scene, rate: number): Promise<void> {
  const { service, shard, followers, history } = scene;
  const stored = await settle(scene, rate);
  await Promise.all(followers.map((follower) => follower.stop()));
  history.find("store", checkStore(await shard.log(), stored, service.journal, history));
  const visibility = mergeVisibility({});
  for (const follower of followers) {
    const carried = carriedBy(follower.stream, visibility);
    history.find("stream", checkStream(follower, stored, carried, history));
  }
}
