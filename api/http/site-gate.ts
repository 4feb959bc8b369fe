import { AppError } from "../../shared/platform/errors/errors.ts";
import { isShutOut } from "../../shared/platform/settings/site-mode.ts";
import type { ApiContext } from "../context.ts";
import type { ReadCaller } from "./authenticate.ts";
import type { Route } from "./route.ts";

/** Paths that stay open: clients find out why the site is closed, and staff sign in to open it. */
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

/** Whether a refusal's code says that the site is not open to whoever called. */
export const isOfClosedSite = (code: string | undefined): boolean =>
  Object.values(refusals).some((refusal) => refusal.code === code);

/** Whether a route is closed with the site. */
export const isClosable = ({ path }: Route): boolean =>
  !alwaysOpen.some((prefix) => path.startsWith(prefix));

/** Clients need not ask more often than this. */
const retryAfterSeconds = 120;

/** Whether the site, as it stands, keeps a route from some callers. */
export const mayBeClosed = (route: Route, { siteMode }: ApiContext): boolean =>
  siteMode.current.site_mode !== "live" && isClosable(route);

/** Whether whoever calls is one of them. */
export const isClosedTo = async (
  readCaller: ReadCaller,
  { siteMode }: ApiContext,
): Promise<boolean> => isShutOut(await readCaller(), siteMode.current);

/** What somebody is told whom the site is closed to. */
export function closedSite({ siteMode }: ApiContext): AppError {
  const { site_mode: mode, status_message: message } = siteMode.current;
  const { code, words } = refusals[mode === "closed" ? "closed" : "maintenance"];
  return new AppError(code, message ?? words, { retryAfter: retryAfterSeconds });
}
