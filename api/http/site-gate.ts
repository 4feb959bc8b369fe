import { AppError } from "../../shared/platform/errors/errors.ts";
import { isExcludedByMode } from "../../shared/platform/settings/site-mode.ts";
import type { ApiContext } from "../context.ts";
import type { CallerReader } from "./authenticate.ts";
import type { Route } from "./route.ts";

/** Paths that stay open, so that clients can read why the site is closed and staff can sign in to open it. */
const alwaysOpen = [
  "/.well-known/",
  "/api/docs",
  "/api/v1/auth/",
  "/api/v1/plugin/",
  "/api/v1/public/status",
  "/api/v1/public/settings",
];

const refusals = {
  maintenance: { code: "site_maintenance", words: "The site is in maintenance" },
  closed: { code: "site_closed", words: "The site is closed" },
} as const;

/** Returns true if a refusal's code says that the site is closed to the caller. */
export const isSiteClosedCode = (code: string | undefined): boolean =>
  Object.values(refusals).some((refusal) => refusal.code === code);

/** Returns true if the site mode can close a route. */
export const isRouteClosable = ({ path }: Route): boolean =>
  !alwaysOpen.some((prefix) => path.startsWith(prefix));

const retryAfterSeconds = 120;

/** Returns true if the current site mode closes a route to some callers. */
export const isClosedToSomeCallers = (route: Route, { siteMode }: ApiContext): boolean =>
  siteMode.current.site_mode !== "live" && isRouteClosable(route);

/** Returns true if the current site mode closes the site to this caller. */
export const isSiteClosedTo = async (
  readCaller: CallerReader,
  { siteMode }: ApiContext,
): Promise<boolean> => isExcludedByMode(await readCaller(), siteMode.current);

/** Returns the refusal for a closed site. */
export function siteClosedError({ siteMode }: ApiContext): AppError {
  const { site_mode: mode, status_message: message } = siteMode.current;
  const { code, words } = refusals[mode === "closed" ? "closed" : "maintenance"];
  return new AppError(code, message ?? words, { retryAfter: retryAfterSeconds });
}
