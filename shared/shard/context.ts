import type { Context } from "../platform/context.ts";
import type { LiveValue } from "../platform/notify/live-value.ts";
import type { CharacterOwners } from "./owners/character-owners.ts";
import type { ShardControl } from "./sidecar/shard-control.ts";
import type { Visibility } from "./visibility/visibility.ts";

export interface ShardContext extends Context {
  /** What each audience may see. A change reaches gates and open streams within a second. */
  readonly visibility: LiveValue<Visibility>;
  readonly shard: ShardControl;
  readonly characterOwners: CharacterOwners;
}
