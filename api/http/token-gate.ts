import type { Request } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import { AppError, sessionRequiredError } from "../../shared/platform/errors/errors.ts";
import type { Route } from "./route.ts";
import { scopeOf } from "./scopes.ts";

/**
 * Refuses a token without the route's scope, even on public routes, which need no token. The gate checks
 * the token's role. The refusal names the missing scope (RFC 6750 §3.1).
 * @throws AppError 403
 */
export function checkTokenScope(route: Route, request: Request, caller: Caller | null): void {
  if (!caller?.apiToken || route.gate === "roles:admin") return;
  const scope = scopeOf(route);
  if (scope === null) throw sessionRequiredError();
  if (!caller.apiToken.scopes.includes(scope)) {
    request.res?.set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
    throw new AppError("scope_missing", `The token lacks the scope ${scope}`);
  }
}
