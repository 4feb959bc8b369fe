import { validatorRouteOptions } from "../http/etag.ts";

/**
 * The cache options of the routes for posts, pages, wiki and feeds: concurrent requests share one read, and
 * changes show within half a second.
 */
export const briefCachePolicy = { ...validatorRouteOptions, keepMs: 500 } as const;
