import type { Caller } from "../../shared/platform/access/caller.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { lacksSecondFactor } from "../../shared/platform/settings/settings.ts";
import type { ApiContext } from "../context.ts";
import type { Route } from "./route.ts";

/** Paths for staff. The paths of the caller's own account are open, so that staff can enroll a second factor. */
const forStaff = /^\/api\/(?:v1\/(?:admin|dashboard)|queues)(?:\/|$)/;

/** @throws AppError 403 for staff without the second factor that the site requires */
export function checkSecondFactor(
  { path }: Pick<Route, "path">,
  caller: Caller | null,
  { settings }: Pick<ApiContext, "settings">,
): void {
  if (caller && forStaff.test(path) && lacksSecondFactor(caller, settings.current)) {
    throw new AppError(
      "second_factor_required",
      "This site requires a second factor for staff: set one up",
    );
  }
}
