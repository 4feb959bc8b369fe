import type { Request } from "express";

import { allowedOrigins, type Config } from "../../shared/platform/config/config.ts";
import { type Subject, subjectsOf } from "../../shared/platform/throttle/subjects.ts";
import { originOf } from "./origin.ts";

/*
 * What browsers say of a request in `Sec-Fetch-Site` and `Sec-Fetch-Dest` (Fetch Metadata), which no page
 * can set or leave out. A program can set them, so a request that they mark as foreign never gets more
 * than another one: it is refused, or counted apart.
 */

const sitesOfPages: readonly unknown[] = ["same-origin", "same-site", "cross-site"];
const foreignSites: readonly unknown[] = ["same-site", "cross-site"];

/** The app's routes read no cookie and set none: a page gains nothing by calling them. */
const forApps = "/api/v1/auth/mobile/";

export const isForApps = ({ path }: Request): boolean => path.startsWith(forApps);

/** Destinations of a link, a form, a script's own request and an event stream. */
const askedFor: readonly unknown[] = ["document", "empty"];

/**
 * Whether a page loads the address as a part of itself (an image, a script, a style, a font, a frame), or
 * a browser loads it before anybody followed a link there. An image in a text makes the site's own pages
 * do that.
 */
export function isEmbedded({ headers }: Request): boolean {
  const destination = headers["sec-fetch-dest"];
  return (destination !== undefined && !askedFor.includes(destination)) || isSpeculative(headers);
}

/** A prefetch or a prerendering. */
const isSpeculative = (headers: Request["headers"]): boolean =>
  headers["sec-purpose"] !== undefined;

/** Whether a page of any site chose the address, and not the person who uses the browser. */
export const isChosenByPage = (request: Request): boolean =>
  sitesOfPages.includes(request.headers["sec-fetch-site"]) || isEmbedded(request);

/**
 * Whether a page of an origin that is not allowed sent the request. A request with `Authorization` is no
 * page's: browsers send that header to another site only after a preflight, which foreign origins fail.
 * Links send no `Origin`, so a web app of an allowed origin is known by `Referer`.
 */
export function isFromForeignPage(request: Request, config: Config): boolean {
  const { headers } = request;
  const { origin, authorization, referer } = headers;
  if (authorization !== undefined) return false;
  const allowed = allowedOrigins(config);
  if (origin !== undefined) {
    return !allowed.includes(origin) && !(isForApps(request) && isOfApp(origin));
  }
  if (!foreignSites.includes(headers["sec-fetch-site"])) return false;
  return !allowed.includes(URL.parse(referer ?? "")?.origin ?? "");
}

/** Apps made of web pages have an origin of their own, as `capacitor://localhost`; no website has one. */
const isOfApp = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && !["http:", "https:"].includes(url.protocol);
};

/** Whether a foreign page sent the request, or a page of any site embeds the address. */
export const isForeign = (request: Request, config: Config): boolean =>
  isFromForeignPage(request, config) || isEmbedded(request);

/** Subjects of a limit, others for foreign pages: these spend nothing of the visitor's own count. */
export const apartFor = (
  request: Request,
  subjects: readonly Subject[],
  config: Config,
): readonly Subject[] =>
  isFromForeignPage(request, config)
    ? subjects.map(({ id, times }) => ({ id: `foreign ${id}`, times }))
    : subjects;

/** What a limit that a route does not name counts of where a request came from. */
export const countedApart = (request: Request, config: Config): readonly Subject[] =>
  apartFor(request, subjectsOf(originOf(request).networks, config), config);
