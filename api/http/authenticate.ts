import type { Request } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import type { Context } from "../../shared/context.ts";
import type { Route } from "./route.ts";

/** Reads the caller's credential and the fresh row behind it. */
export async function authenticate(
  _route: Route,
  _request: Request,
  _context: Context,
): Promise<Caller | null> {
  return null;
}
