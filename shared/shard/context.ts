import type { Context } from "../platform/context.ts";
import type { WatchedValue } from "../platform/notify/live-value.ts";
import type { CharacterOwnerCache } from "./owners/character-owners.ts";
import type { ShardControlClient } from "./sidecar/shard-control.ts";
import type { Visibility } from "./visibility/visibility.ts";

export interface ShardContext extends Context {
  /** The visibility settings. A change reaches requests and open streams within a second. */
  readonly visibility: WatchedValue<Visibility>;
  readonly shard: ShardControlClient;
  readonly characterOwners: CharacterOwnerCache;
}
