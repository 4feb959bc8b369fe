import type { PushContext } from "../push/context.ts";
import type { SurvivalContext } from "../survival/context.ts";
import type { HookContext } from "../webhooks/context.ts";

export interface SiteContext extends SurvivalContext, PushContext, HookContext {}
