import type { ShardContext } from "../shard/context.ts";
import type { ServerControls } from "./server-link.ts";

export interface SurvivalContext extends ShardContext {
  readonly survival: ServerControls;
}
