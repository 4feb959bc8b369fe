import type { CookieOptions } from "express";

export interface Cookie {
  readonly name: string;
  /** The cookie's name in older releases. A cookie with this former name is cleared. */
  readonly formerName?: string | undefined;
  /** The new value; undefined to clear the cookie. */
  readonly value?: string;
  readonly options: CookieOptions;
}

/** An answer other than a 200 with a JSON body. */
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

export const createAnswer = (
  status: number,
  body: unknown,
  extra?: ConstructorParameters<typeof Answer>[2],
): Answer => new Answer(status, body, extra);

/** The answer of a handler that has written the response itself, as for event streams. */
export const alreadySentAnswer = new Answer(0, null);
