import type { PushContext } from "../push/context.ts";
import type { SurvivalContext } from "../survival/context.ts";
import type { HookContext } from "../webhooks/context.ts";

/** The context of a whole process, with the parts of every domain. */
export interface SiteContext extends SurvivalContext, PushContext, HookContext {}
