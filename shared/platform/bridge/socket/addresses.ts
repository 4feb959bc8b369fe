import Joi from "joi";

import type { Cursor } from "../frames.ts";

/** A URL with `ws` or `wss`, which may have a query. */
export const socketAddress = address("a ws or wss URL", ["ws:", "wss:"]);

/** A URL with `http` or `https` and an optional path before `/v1`. A trailing slash is removed. */
export const controlAddress = address("an http or https URL without a query", ["http:", "https:"]);

/** Returns the URL of a connection; without a cursor the sidecar starts at its oldest event. */
export function buildConnectionUrl(wsUrl: string, protocol: number, cursor: Cursor | null): string {
  const url = new URL(wsUrl);
  url.searchParams.set("protocol", String(protocol));
  for (const name of ["epoch", "after"]) url.searchParams.delete(name);
  if (cursor) {
    url.searchParams.set("epoch", cursor.epoch);
    url.searchParams.set("after", String(cursor.seq));
  }
  return url.href;
}

function address(description: string, schemes: readonly string[]): Joi.StringSchema {
  const rule = `{{#label}} must be ${description}, with no user, password or fragment`;
  return Joi.string()
    .trim()
    .max(2048)
    .custom((text: string, helpers) => {
      const url = URL.parse(text);
      const isClean = url?.username === "" && url.password === "" && !text.includes("#");
      if (!isClean || !schemes.includes(url.protocol)) return helpers.message({ custom: rule });
      if (url.protocol.startsWith("ws")) return url.href;
      return url.search === "" ? url.href.replace(/\/+$/, "") : helpers.message({ custom: rule });
    });
}
