import type { Request } from "express";

/** Returns true if the client already has the version with this ETag. */
export const matchesEtag = (etag: string, { headers }: Request): boolean =>
  headers["if-none-match"] !== undefined &&
  headers["if-none-match"]
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");

/** The declaration that all routes with an ETag share. */
export const validatorRouteOptions = {
  hasValidator: true,
  takes: ["If-None-Match"],
  sends: { 200: ["ETag"], 304: ["ETag"] },
} as const;
