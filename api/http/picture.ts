import type { Request, Response } from "express";

import { type Answer, createAnswer, alreadySentAnswer } from "./answer.ts";
import { matchesEtag } from "./etag.ts";

/** Lets pages of other origins show pictures, because pictures contain no personal data. */
export const anyOriginHeaders = { "Cross-Origin-Resource-Policy": "cross-origin" } as const;

const yearSeconds = 31_536_000;

interface Picture {
  readonly mime: string;
  readonly bytes: Buffer;
}

/** The source of a picture. `check` and `read` throw if the picture is unknown. */
interface PictureSource {
  /** Checks that the picture exists without reading its bytes. */
  readonly check: () => Promise<Pick<Picture, "mime"> | void>;
  readonly read: () => Promise<Picture>;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/**
 * Answers with a picture. Its URL contains the hash of its bytes, so caches may store the answer indefinitely.
 */
export async function answerWithPicture(
  hash: string,
  { check, read }: PictureSource,
  { request, response }: Exchange,
): Promise<Answer> {
  const etag = `"${hash}"`;
  const headers = {
    ...anyOriginHeaders,
    "Cache-Control": `public, max-age=${yearSeconds}, immutable`,
    ETag: etag,
    // The bytes do not depend on cookies, so shared caches need no copy per cookie.
    Vary: "Origin",
  };
  if (matchesEtag(etag, request)) {
    const held = await check();
    const type = held ? { "Content-Type": held.mime } : {};
    return createAnswer(304, null, { headers: { ...headers, ...type } });
  }
  const { mime, bytes } = await read();
  response.set({ ...headers, "Content-Type": mime }).send(bytes);
  return alreadySentAnswer;
}
