import type { SurvivalContext } from "../survival/context.ts";

/** The context of runs. Actions act on the shard and on survival servers. */
export interface EventContext extends SurvivalContext {}
