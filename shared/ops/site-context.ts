import type { WatchedValue } from "../platform/notify/live-value.ts";
import type { PushContext } from "../push/context.ts";
import type { SurvivalContext } from "../survival/context.ts";
import type { SurvivalVisibilityOverrides } from "../survival/visibility/visibility.ts";
import type { HookContext } from "../webhooks/context.ts";

export interface SiteContext extends SurvivalContext, PushContext, HookContext {
  /** The visibility settings of survival servers that differ from the defaults. They may be a second old. */
  readonly survivalVisibility: WatchedValue<SurvivalVisibilityOverrides>;
}
