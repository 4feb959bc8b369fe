import Joi from "joi";

import { baseUrl, duration, listOf } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

/** Where people may come from who sign in elsewhere: providers, and the app. */
export const ssoVariables = {
  DISCORD_BASE_URL: variable(
    baseUrl().default("https://discord.com"),
    "where Discord is reached; another address is for tests",
  ),
  GOOGLE_ISSUER: variable(
    baseUrl().default("https://accounts.google.com"),
    "the issuer of Google's identities; another one is for tests",
  ),
  OIDC_ALLOW_INSECURE: variable(
    Joi.boolean().default(false),
    "whether sign-in providers may be reached over plain http on this machine",
    (value) => (value ? "sign-in providers must be https in production" : undefined),
  ),
  OIDC_ALLOW_PRIVATE: variable(
    Joi.boolean().default(false),
    "whether sign-in providers may have private addresses, as within a company's own network",
  ),
  SSO_TTL: variable(
    duration("10m", { least: "1s" }),
    "time to sign in at a provider, until the browser is back",
    atLeast("1m"),
  ),
  MOBILE_CODE_TTL: variable(
    duration("60s", { least: "1s" }),
    "time in which the app must exchange the code of a sign-in at a provider",
    atLeast("10s"),
  ),
  MOBILE_REDIRECTS: variable(
    listOf(appAddress()).default(["org.guildhall.app://auth/callback"]),
    "addresses, separated by commas, at which the app may take a sign-in back; each is compared " +
      "as a whole",
  ),
  APP_LINK_PACKAGE: variable(
    Joi.string().default("org.guildhall.app"),
    "the app's package, whose links of the site may open in it",
  ),
  APP_LINK_FINGERPRINTS: variable(
    listOf(fingerprint()).default([]),
    "SHA-256 fingerprints of the app's certificates, separated by commas; without one no link " +
      "opens in the app",
  ),
} as const;

/** A URL of any scheme that can take a query. */
function appAddress(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => {
    const url = URL.parse(String(text));
    const isScript = ["javascript:", "data:", "vbscript:", "file:"].includes(url?.protocol ?? "");
    if (!url || isScript || url.hash !== "") throw new Error("must be a URL without a fragment");
    return String(text);
  });
}

function fingerprint(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => {
    if (!/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/i.test(String(text))) {
      throw new Error("must be 32 bytes in hexadecimal, separated by colons");
    }
    return String(text).toUpperCase();
  });
}
