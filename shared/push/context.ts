import type { ShardContext } from "../shard/context.ts";
import type { RelayRegistry } from "./relay/relay.ts";

export interface PushContext extends ShardContext {
  readonly relays: RelayRegistry;
}
