import type { Request } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import { AppError, sessionRequired } from "../../shared/platform/errors/errors.ts";
import type { Route } from "./route.ts";
import { scopeOf } from "./scopes.ts";

/**
 * Holds a token to its scopes, on public routes too: without the scope they are read without a token.
 * Its role is the gate's to judge. A refusal names what is missing (RFC 6750 §3.1).
 * @throws AppError 403
 */
export function passToken(route: Route, request: Request, caller: Caller | null): void {
  if (!caller?.apiToken || route.gate === "roles:admin") return;
  const scope = scopeOf(route);
  if (scope === null) throw sessionRequired();
  if (!caller.apiToken.scopes.includes(scope)) {
    request.res?.set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
    throw new AppError("scope_missing", `The token lacks the scope ${scope}`);
  }
}
