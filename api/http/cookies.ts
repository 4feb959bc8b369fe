import { parseCookie } from "cookie";
import type { CookieOptions, Request } from "express";

import type { Challenge } from "../../shared/auth/second-factor/challenges.ts";
import type { TrustToken } from "../../shared/auth/second-factor/trusted-devices.ts";
import type { SessionToken } from "../../shared/auth/sessions/sessions.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import type { Cookie } from "./answer.ts";

export type CookieName = keyof typeof cookies;

interface CookieSpec {
  /**
   * The prefix makes browsers require `Secure`, `Path=/` and no `Domain`, so only this host can set the cookie.
   */
  readonly secureName: `__Host-${string}`;
  /** The name over plain http, where browsers refuse the prefix. */
  readonly plainName: string;
  readonly sameSite: "lax" | "strict";
  /**
   * True if the name begins with SITE_ABBREVIATION. Cookies under the two names above without the abbreviation
   * are then read until they expire.
   */
  readonly bearsAbbreviation?: true;
}

/** CATALOGUE of cookies. `lax` cookies are sent when a link from an email or chat opens the site. */
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
    bearsAbbreviation: true,
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
  /** Binds a sign-in at a provider to the browser that started it. */
  sso: {
    secureName: "__Host-sso",
    plainName: "sso_tx",
    sameSite: "lax",
  },
} as const satisfies Record<string, CookieSpec>;

export const cookieNames = Object.keys(cookies) as readonly CookieName[];

const isSecure = ({ COOKIE_SECURE, PUBLIC_BASE_URL }: Config): boolean =>
  COOKIE_SECURE === "auto" ? PUBLIC_BASE_URL.startsWith("https:") : COOKIE_SECURE === "true";

interface Names {
  readonly name: string;
  readonly formerName?: string;
}

function namesOf(cookie: CookieName, config: Config): Names {
  const { secureName, plainName, bearsAbbreviation }: CookieSpec = cookies[cookie];
  const name = isSecure(config) ? secureName : plainName;
  if (!bearsAbbreviation) return { name };
  const prefix = isSecure(config) ? "__Host-" : "";
  return { name: `${prefix}${config.SITE_ABBREVIATION}_${plainName}`, formerName: name };
}

function optionsOf(cookie: CookieName, config: Config) {
  const { sameSite } = cookies[cookie];
  return { httpOnly: true, secure: isSecure(config), sameSite, path: "/" } satisfies CookieOptions;
}

function cookieFor(cookie: CookieName, value: string, maxAge: number, config: Config): Cookie {
  const options = { ...optionsOf(cookie, config), maxAge };
  return { ...namesOf(cookie, config), value, options };
}

export const sessionCookie = ({ token, maxAgeMs }: SessionToken, config: Config): Cookie =>
  cookieFor("session", token, maxAgeMs, config);

export const trustCookie = ({ token, maxAgeMs }: TrustToken, config: Config): Cookie =>
  cookieFor("trust", token, maxAgeMs, config);

export const challengeCookie = ({ challenge, maxAgeMs }: Challenge, config: Config): Cookie =>
  cookieFor("challenge", challenge, maxAgeMs, config);

export const ssoChallengeCookie = ({ challenge, maxAgeMs }: Challenge, config: Config): Cookie =>
  cookieFor("ssoChallenge", challenge, maxAgeMs, config);

/** Returns the name and attributes, for code that sets a cookie itself. */
export const cookieSettings = (cookie: CookieName, config: Config) => ({
  name: namesOf(cookie, config).name,
  options: optionsOf(cookie, config),
});

/** Clears a cookie. The attributes must be the same as when it was set. */
export const createExpiredCookie = (cookie: CookieName, config: Config): Cookie => ({
  ...namesOf(cookie, config),
  options: optionsOf(cookie, config),
});

/** Returns the first value of a cookie. The former name is used if the current one is missing. */
export function readCookie(
  request: Request,
  cookie: CookieName,
  config: Config,
): string | undefined {
  const { name, formerName } = namesOf(cookie, config);
  return findCookie(name, request) ?? (formerName && findCookie(formerName, request));
}

/** Returns the value of a request's cookie; undefined if it is empty. */
export function findCookie(name: string, { headers }: Request): string | undefined {
  if (headers.cookie === undefined) return undefined;
  return parseCookie(headers.cookie, { decode: (value) => value })[name] || undefined;
}
