import type { ShardContext } from "../shard/context.ts";
import type { HookServers } from "./receiver/hook-server.ts";

export interface HookContext extends ShardContext {
  readonly hookServers: HookServers;
}
