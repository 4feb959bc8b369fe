import type { Request } from "express";

import type { Context } from "../../shared/context.ts";
import type { Route } from "./route.ts";

/** Names of the rate limits that routes may ask for. */
export type LimiterName = string;

export async function countLimits(
  _route: Route,
  _request: Request,
  _context: Context,
): Promise<void> {}
