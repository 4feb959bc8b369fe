import Joi from "joi";

import { baseUrlSchema, durationSchema, listValueSchema } from "./values.ts";
import { requireAtLeast, defineVariable } from "./variable.ts";

export const ssoVariables = {
  DISCORD_BASE_URL: defineVariable(
    baseUrlSchema().default("https://discord.com"),
    "base URL of Discord; change it only in tests",
  ),
  GOOGLE_ISSUER: defineVariable(
    baseUrlSchema().default("https://accounts.google.com"),
    "issuer of Google's ID tokens; change it only in tests",
  ),
  OIDC_ALLOW_INSECURE: defineVariable(
    Joi.boolean().default(false),
    "whether a sign-in provider on this machine may use plain http",
    (value) => (value ? "sign-in providers must be https in production" : undefined),
  ),
  OIDC_ALLOW_PRIVATE: defineVariable(
    Joi.boolean().default(false),
    "whether sign-in providers may have private IP addresses, for example in a company's own " +
      "network",
  ),
  SSO_TTL: defineVariable(
    durationSchema("10m", { least: "1s" }),
    "time within which a user must complete a sign-in at a provider",
    requireAtLeast("1m"),
  ),
  MOBILE_CODE_TTL: defineVariable(
    durationSchema("60s", { least: "1s" }),
    "time within which an app must exchange the code of a sign-in at a provider for tokens",
    requireAtLeast("10s"),
  ),
  MOBILE_REDIRECTS: defineVariable(
    listValueSchema(appAddress()).default(["org.guildhall.app://auth/callback"]),
    "redirect URIs of apps to which a sign-in at a provider may return, separated by commas; a " +
      "request must contain exactly one of these URIs",
  ),
  APP_LINK_PACKAGE: defineVariable(
    Joi.string().default("org.guildhall.app"),
    "name of the Android package of the app that may open links to the site",
  ),
  APP_LINK_FINGERPRINTS: defineVariable(
    listValueSchema(fingerprint()).default([]),
    "SHA-256 fingerprints of the certificates of the app APP_LINK_PACKAGE, separated by commas; " +
      "if unset, no link opens in the app",
  ),
} as const;

/** A URL without a fragment. Every scheme is allowed except those that run code or read files. */
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
