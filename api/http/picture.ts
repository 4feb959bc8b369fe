import type { Request, Response } from "express";

import { type Answer, answer, alreadySent } from "./answer.ts";
import { isHeld } from "./etag.ts";

/** Pages of other origins show pictures, which hold nothing of any caller. */
export const anyOrigin = { "Cross-Origin-Resource-Policy": "cross-origin" } as const;

const yearSeconds = 31_536_000;

interface Picture {
  readonly mime: string;
  readonly bytes: Buffer;
}

/** Where a picture is read; both refuse what is not held. */
interface PictureSource {
  /** Reads none of its bytes. */
  readonly check: () => Promise<Pick<Picture, "mime"> | void>;
  readonly read: () => Promise<Picture>;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Answers a picture under the hash of its bytes: it never changes and may be kept for ever. */
export async function answerPicture(
  hash: string,
  { check, read }: PictureSource,
  { request, response }: Exchange,
): Promise<Answer> {
  const etag = `"${hash}"`;
  const headers = {
    ...anyOrigin,
    "Cache-Control": `public, max-age=${yearSeconds}, immutable`,
    ETag: etag,
    // The same bytes for everybody: shared caches need no copy for each cookie.
    Vary: "Origin",
  };
  if (isHeld(etag, request)) {
    const held = await check();
    const type = held ? { "Content-Type": held.mime } : {};
    return answer(304, null, { headers: { ...headers, ...type } });
  }
  const { mime, bytes } = await read();
  response.set({ ...headers, "Content-Type": mime }).send(bytes);
  return alreadySent;
}
