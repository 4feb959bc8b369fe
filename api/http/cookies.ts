import { parseCookie } from "cookie";
import type { CookieOptions, Request } from "express";

import type { Challenge } from "../../shared/auth/second-factor/challenges.ts";
import type { TrustToken } from "../../shared/auth/second-factor/trusted-devices.ts";
import type { SessionToken } from "../../shared/auth/sessions/sessions.ts";
import type { Config } from "../../shared/config/config.ts";
import type { Cookie } from "./answer.ts";

type CookieName = keyof typeof cookies;

interface CookieSpec {
  /** Browsers hold these prefixes to Secure, and `__Host-` to this host and the whole site. */
  readonly secureName: string;
  /** Plain http knows no prefixes. */
  readonly plainName: string;
  readonly path: string;
  readonly sameSite: "lax" | "strict";
}

/** CATALOGUE of cookies. Lax where a link from a mail or a chat is to arrive signed in. */
const cookies = {
  session: {
    secureName: "__Host-session",
    plainName: "session",
    path: "/",
    sameSite: "lax",
  },
  trust: {
    secureName: "__Host-td",
    plainName: "td",
    path: "/",
    sameSite: "lax",
  },
  challenge: {
    secureName: "__Secure-totp_challenge",
    plainName: "totp_challenge",
    path: "/api/v1/auth/login",
    sameSite: "strict",
  },
  ssoChallenge: {
    secureName: "sso_totp",
    plainName: "sso_totp",
    path: "/api/v1/auth/sso",
    sameSite: "lax",
  },
  /** Ties a sign-in at a provider to the browser that began it. */
  sso: {
    secureName: "__Host-sso",
    plainName: "sso_tx",
    path: "/",
    sameSite: "lax",
  },
} as const satisfies Record<string, CookieSpec>;

const isSecure = ({ COOKIE_SECURE, PUBLIC_BASE_URL }: Config): boolean =>
  COOKIE_SECURE === "auto" ? PUBLIC_BASE_URL.startsWith("https:") : COOKIE_SECURE === "true";

const nameOf = (cookie: CookieName, config: Config): string =>
  isSecure(config) ? cookies[cookie].secureName : cookies[cookie].plainName;

function optionsOf(cookie: CookieName, config: Config) {
  const { path, sameSite } = cookies[cookie];
  return { httpOnly: true, secure: isSecure(config), sameSite, path } satisfies CookieOptions;
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
