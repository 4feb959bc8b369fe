import type { Request } from "express";

import { allowedOrigins, type Config } from "../../shared/platform/config/config.ts";
import { type CountedSubject, listLimitSubjects } from "../../shared/platform/throttle/subjects.ts";
import { readRequestOrigin } from "./origin.ts";

/*
 * The headers `Sec-Fetch-Site` and `Sec-Fetch-Dest` (Fetch Metadata), which pages cannot change. Programs
 * can set them, so the mark of a foreign page never gives a request an advantage: the request is refused or
 * counted separately.
 */

const sitesOfPages: readonly unknown[] = ["same-origin", "same-site", "cross-site"];
const foreignSites: readonly unknown[] = ["same-site", "cross-site"];

/**
 * Routes for apps. They neither read nor set cookies, so a page of another site gains nothing by calling them.
 */
const forApps = "/api/v1/auth/mobile/";

export const isMobileRoute = ({ path }: Request): boolean => path.startsWith(forApps);

/** The values of `Sec-Fetch-Dest` for links, forms, requests by scripts, and event streams. */
const directDestinations: readonly unknown[] = ["document", "empty"];

/**
 * Returns true if a page embeds the URL (as image, script, style, font or frame), or a browser prefetches it.
 * Even the site's own pages embed a URL if an author uses it as an image.
 */
export function isEmbedded({ headers }: Request): boolean {
  const destination = headers["sec-fetch-dest"];
  return (
    (destination !== undefined && !directDestinations.includes(destination)) ||
    isSpeculative(headers)
  );
}

const isSpeculative = (headers: Request["headers"]): boolean =>
  headers["sec-purpose"] !== undefined;

/** Returns true if a page caused the request and not the user of the browser. */
export const isCausedByPage = (request: Request): boolean =>
  sitesOfPages.includes(request.headers["sec-fetch-site"]) || isEmbedded(request);

/**
 * Returns true if a page of a foreign origin sent the request. A request with `Authorization` cannot be from
 * such a page: browsers send that header to another site only after a preflight, which foreign origins fail.
 * Links send no `Origin`, so an allowed web app is recognized by `Referer`.
 */
export function isFromForeignPage(request: Request, config: Config): boolean {
  const { headers } = request;
  const { origin, authorization, referer } = headers;
  if (authorization !== undefined) return false;
  if (origin !== undefined) {
    const isAllowed = allowedOrigins(config).includes(origin);
    return !isAllowed && !(isMobileRoute(request) && isAppOrigin(origin));
  }
  if (!foreignSites.includes(headers["sec-fetch-site"])) return false;
  return !allowedOrigins(config).includes(URL.parse(referer ?? "")?.origin ?? "");
}

/** Apps made of web pages have their own origins, such as `capacitor://localhost`, which no website can have. */
const isAppOrigin = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && !["http:", "https:"].includes(url.protocol);
};

/** Returns true if a foreign page sent the request or any page embeds the URL. */
export const isForeignOrEmbedded = (request: Request, config: Config): boolean =>
  isFromForeignPage(request, config) || isEmbedded(request);

/** Counts requests of foreign pages under separate subjects, so that they do not use up the visitor's limit. */
export const separateForeignSubjects = (
  request: Request,
  subjects: readonly CountedSubject[],
  config: Config,
): readonly CountedSubject[] =>
  isFromForeignPage(request, config)
    ? subjects.map(({ id, times }) => ({ id: `foreign ${id}`, times }))
    : subjects;

/** Returns the subjects under which a limit counts a request, for handlers that count it without the router. */
export const listRequestSubjects = (request: Request, config: Config): readonly CountedSubject[] =>
  separateForeignSubjects(
    request,
    listLimitSubjects(readRequestOrigin(request).networks, config),
    config,
  );
