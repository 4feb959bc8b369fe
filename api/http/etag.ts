import type { Request } from "express";

/** Whether the client has these bytes. */
export const isHeld = (etag: string, { headers }: Request): boolean =>
  headers["if-none-match"] !== undefined &&
  headers["if-none-match"]
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");

/** What the declaration of a route with a validator has in common with others. */
export const validated = {
  hasValidator: true,
  takes: ["If-None-Match"],
  sends: { 200: ["ETag"], 304: ["ETag"] },
} as const;
