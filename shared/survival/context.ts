import type { ShardContext } from "../shard/context.ts";
import type { ServerControlClients } from "./server-link.ts";

export interface SurvivalContext extends ShardContext {
  readonly survival: ServerControlClients;
}
