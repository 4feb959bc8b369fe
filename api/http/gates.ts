import type { Role } from "../../models/auth/user.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { isStaff, type Rung } from "../../shared/platform/access/roles.ts";
import { AppError, unauthenticatedError } from "../../shared/platform/errors/errors.ts";
import type { Feature } from "../../shared/shard/visibility/features.ts";
import { findFeatureAccess, type Visibility } from "../../shared/shard/visibility/visibility.ts";
import type { RouteGate } from "./route.ts";

/** Returns true if the gate requires a signed-in caller. */
export const needsSession = (gate: RouteGate): boolean =>
  gate === "auth" || gate === "staff" || gate.startsWith("roles:");

const rungOfCaller = (caller: Caller | null): Rung => caller?.rung ?? "anonymous";

/** @throws AppError if the gate refuses the caller */
export function checkGate(
  gate: RouteGate,
  caller: Caller | null,
  visibility: () => Visibility,
): void {
  if (needsSession(gate) && !caller) throw unauthenticatedError();
  if (gate === "staff" && caller && !isStaff(caller.role)) {
    throw new AppError("role_required", "Staff role required");
  }
  if (gate.startsWith("roles:")) {
    passRoles(gate.slice("roles:".length).split(",") as Role[], caller);
  }
  if (gate.startsWith("feature:")) {
    passFeature(gate.slice("feature:".length) as Feature, rungOfCaller(caller), visibility());
  }
}

function passRoles(allowed: readonly Role[], caller: Caller | null): void {
  if (caller && allowed.includes(caller.role)) return;
  const names = allowed.join(" or ");
  throw new AppError(
    "role_required",
    `${names.charAt(0).toUpperCase()}${names.slice(1)} role required`,
  );
}

/** Refuses a disabled feature with 404, and a feature above the caller's access level with 403. */
function passFeature(feature: Feature, rung: Rung, visibility: Visibility): void {
  const access = findFeatureAccess(visibility, feature, rung);
  if (access === "disabled") throw new AppError("feature_disabled", "Not found");
  if (access === "gated") throw new AppError("feature_locked", "Forbidden");
}
