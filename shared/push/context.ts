import type { ShardContext } from "../shard/context.ts";
import type { Relays } from "./relay/relay.ts";

export interface PushContext extends ShardContext {
  readonly relays: Relays;
}
