import type { SurvivalContext } from "../survival/context.ts";

/** The dependencies of runs, whose actions act on the shard and on survival servers. */
export interface EventContext extends SurvivalContext {}
