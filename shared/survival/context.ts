import type { ShardContext } from "../shard/context.ts";
import type { ServerControls } from "./sidecar/server-controls.ts";

export interface SurvivalContext extends ShardContext {
  readonly survival: ServerControls;
}
