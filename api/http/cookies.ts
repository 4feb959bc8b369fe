import { parseCookie } from "cookie";
import type { CookieOptions, Request } from "express";

import type { Challenge } from "../../shared/auth/second-factor/challenges.ts";
import type { TrustToken } from "../../shared/auth/second-factor/trusted-devices.ts";
import type { SessionToken } from "../../shared/auth/sessions/sessions.ts";
import type { Config } from "../../shared/config/config.ts";
import type { Cookie } from "./answer.ts";

export type CookieName = keyof typeof cookies;

interface CookieSpec {
  /**
   * Browsers take a cookie of this prefix with `Secure`, `Path=/` and no `Domain` alone, so that
   * neither plain http nor another host of the same domain can plant one.
   */
  readonly secureName: `__Host-${string}`;
  /** Browsers refuse the prefix over plain http. */
  readonly plainName: string;
  readonly sameSite: "lax" | "strict";
}

/** CATALOGUE of cookies. Lax where a link from a mail or a chat is to arrive signed in. */
const cookies = {
  session: {
    secureName: "__Host-session",
    plainName: "session",
    sameSite: "lax",
  },
  trust: {
    secureName: "__Host-td",
    plainName: "td",
    sameSite: "lax",
  },
  challenge: {
    secureName: "__Host-totp_challenge",
    plainName: "totp_challenge",
    sameSite: "strict",
  },
  ssoChallenge: {
    secureName: "__Host-sso_totp",
    plainName: "sso_totp",
    sameSite: "lax",
  },
  /** Ties a sign-in at a provider to the browser that began it. */
  sso: {
    secureName: "__Host-sso",
    plainName: "sso_tx",
    sameSite: "lax",
  },
} as const satisfies Record<string, CookieSpec>;

export const cookieNames = Object.keys(cookies) as readonly CookieName[];

const isSecure = ({ COOKIE_SECURE, PUBLIC_BASE_URL }: Config): boolean =>
  COOKIE_SECURE === "auto" ? PUBLIC_BASE_URL.startsWith("https:") : COOKIE_SECURE === "true";

const nameOf = (cookie: CookieName, config: Config): string =>
  isSecure(config) ? cookies[cookie].secureName : cookies[cookie].plainName;

function optionsOf(cookie: CookieName, config: Config) {
  const { sameSite } = cookies[cookie];
  return { httpOnly: true, secure: isSecure(config), sameSite, path: "/" } satisfies CookieOptions;
}

function cookieFor(cookie: CookieName, value: string, maxAge: number, config: Config): Cookie {
  const options = { ...optionsOf(cookie, config), maxAge };
  return { name: nameOf(cookie, config), value, options };
}

export const sessionCookie = ({ token, maxAgeMs }: SessionToken, config: Config): Cookie =>
  cookieFor("session", token, maxAgeMs, config);

export const trustCookie = ({ token, maxAgeMs }: TrustToken, config: Config): Cookie =>
  cookieFor("trust", token, maxAgeMs, config);

export const challengeCookie = ({ challenge, maxAgeMs }: Challenge, config: Config): Cookie =>
  cookieFor("challenge", challenge, maxAgeMs, config);

export const ssoChallengeCookie = ({ challenge, maxAgeMs }: Challenge, config: Config): Cookie =>
  cookieFor("ssoChallenge", challenge, maxAgeMs, config);

/** Name and attributes, for what sets a cookie by itself. */
export const cookieSettings = (cookie: CookieName, config: Config) => ({
  name: nameOf(cookie, config),
  options: optionsOf(cookie, config),
});

/** Clears a cookie, by the attributes it was set with: others would name another cookie. */
export const endedCookie = (cookie: CookieName, config: Config): Cookie => ({
  name: nameOf(cookie, config),
  options: optionsOf(cookie, config),
});

/** The value of one of our cookies; the first one where a client sends several. */
export function readCookie(
  request: Request,
  cookie: CookieName,
  config: Config,
): string | undefined {
  const { cookie: text } = request.headers;
  if (text === undefined) return undefined;
  return parseCookie(text, { decode: (value) => value })[nameOf(cookie, config)] || undefined;
}
