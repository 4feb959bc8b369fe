import type { CookieOptions } from "express";

import { etagOf } from "./etag.ts";

export interface Cookie {
  readonly name: string;
  /** Absent: the cookie is cleared. */
  readonly value?: string;
  readonly options: CookieOptions;
}

/** An answer that is more than a 200 with a JSON body. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];

  constructor(
    status: number,
    body: unknown,
    extra: { headers?: Readonly<Record<string, string>>; cookies?: readonly Cookie[] } = {},
  ) {
    this.status = status;
    this.body = body;
    this.headers = extra.headers ?? {};
    this.cookies = extra.cookies ?? [];
  }
}

export const answer = (
  status: number,
  body: unknown,
  extra?: ConstructorParameters<typeof Answer>[2],
): Answer => new Answer(status, body, extra);

/** The handler has written the response itself, as event streams do. */
export const alreadySent = new Answer(0, null);

/** Node writes a text together with its head. Of a longer one the copy for that costs more than it saves. */
const longestText = 8_192;

/** A text of any media type. */
export class TextAnswer {
  readonly mediaType: string;
  /** A long one as bytes: a text would be encoded anew each time a kept answer is sent. */
  readonly content: string | Buffer;
  #etag: string | undefined;

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType;
    this.content = text.length > longestText ? Buffer.from(text) : text;
  }

  /** Worked out once, however often a kept answer is sent. */
  get etag(): string {
    return (this.#etag ??= etagOf(this.content));
  }
}
