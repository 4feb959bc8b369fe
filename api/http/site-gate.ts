import type { Request } from "express";

import { isStaff } from "../../shared/auth/roles.ts";
import { unavailable } from "../../shared/errors.ts";
import type { ApiContext } from "../context.ts";
import { authenticate } from "./authenticate.ts";
import type { Route } from "./route.ts";

/** What stays open, or nobody could find out why, nor sign in to open it again. */
const alwaysOpen = [
  "/api/docs",
  "/api/v1/auth/",
  "/api/v1/public/status",
  "/api/v1/public/settings",
];

const words = { maintenance: "The site is in maintenance", closed: "The site is closed" } as const;

/** Clients need not ask more often than this. */
const retryAfterSeconds = 120;

/**
 * In maintenance the site is for staff, and closed it is for administrators alone.
 * @throws AppError unavailable
 */
export async function passSiteMode(
  route: Route,
  request: Request,
  context: ApiContext,
): Promise<void> {
  const { site_mode: mode, status_message: message } = context.siteMode.current;
  if (mode === "live" || alwaysOpen.some((prefix) => route.path.startsWith(prefix))) return;
  const caller = await authenticate({ ...route, gate: "public" }, request, context);
  const isLetIn = mode === "closed" ? caller?.role === "admin" : caller && isStaff(caller.role);
  if (!isLetIn) throw unavailable(message ?? words[mode], retryAfterSeconds);
}
