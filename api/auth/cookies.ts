import type { CookieOptions, Request } from "express";

import type { Challenge } from "../../shared/auth/challenges.ts";
import type { SessionToken } from "../../shared/auth/sessions.ts";
import type { TrustToken } from "../../shared/auth/trusted-devices.ts";
import type { Config } from "../../shared/config/config.ts";
import type { Cookie } from "../http/answer.ts";

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
} as const satisfies Record<string, CookieSpec>;

const isSecure = ({ COOKIE_SECURE, PUBLIC_BASE_URL }: Config): boolean =>
  COOKIE_SECURE === "auto" ? PUBLIC_BASE_URL.startsWith("https:") : COOKIE_SECURE === "true";

const nameOf = (cookie: CookieName, config: Config): string =>
  isSecure(config) ? cookies[cookie].secureName : cookies[cookie].plainName;

function optionsOf(cookie: CookieName, config: Config): CookieOptions {
  const { path, sameSite } = cookies[cookie];
  return { httpOnly: true, secure: isSecure(config), sameSite, path };
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

/** Clears a cookie: a browser takes only the attributes it was set with for the same cookie. */
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
  const prefix = `${nameOf(cookie, config)}=`;
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) || undefined;
}
