import { createECDH } from "node:crypto";

import Joi from "joi";

import { browserRelayOrigins } from "./push-relays.ts";
import { duration, listOf, origin, pushOrigin } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

const isOff = (origins: unknown): boolean => Array.isArray(origins) && origins.length === 0;

/** Push messages to the devices of users. */
export const pushVariables = {
  PUSH_ALLOWED_ORIGINS: {
    ...variable(
      listOf(pushOrigin()).default([...browserRelayOrigins]),
      "push relays of browsers that devices may name, as `https://host[:port]` or `https://*.host[:port]`, separated by commas; set empty, push is off",
    ),
    takesEmpty: true,
  },
  PUSH_EXTRA_ORIGINS: variable(
    listOf(pushOrigin()).default([]),
    "push relays beside those of browsers, written alike: ntfy and other UnifiedPush servers; one that is named without a `*` may be at a private address",
  ),
  VAPID_KEY: variable(
    vapidKey(),
    "private key that push messages are signed with (base64url of 32 bytes); with another one every subscription is dead",
    (key, { PUSH_ALLOWED_ORIGINS }) =>
      key === undefined && !isOff(PUSH_ALLOWED_ORIGINS)
        ? "set it, or PUSH_ALLOWED_ORIGINS to nothing: a key made at random belongs to one machine"
        : undefined,
  ),
  VAPID_SUBJECT: variable(
    Joi.string<string | undefined>().uri({ scheme: ["https", "mailto"] }),
    "whom a push relay turns to; unset means PUBLIC_BASE_URL when that is https, else the address of MAIL_FROM",
  ),
  PUSH_RETRY: variable(
    duration("30s"),
    "wait before the second of the five tries a push has; it doubles before each further one",
    atLeast("5s"),
  ),
  PUSH_TIMEOUT: variable(
    duration("10s", { least: "100ms", most: "1m" }),
    "how long one try of a push, or of a delivery to a webhook, may take",
    atLeast("1s"),
  ),
  WEBHOOK_ALLOWED_ORIGINS: variable(
    listOf(origin()).default([]),
    "origins at which webhooks may be without https and at a private address, separated by commas: a bot on the same machine",
  ),
  WEBHOOK_RETRY: variable(
    duration("10s"),
    "wait before the second of the nine tries a delivery to a webhook has; each further one is four times as long, up to 8 hours",
    atLeast("1s"),
  ),
  PUSH_DNS: variable(
    Joi.string<string | undefined>().pattern(/^[\d.]+:\d{1,5}$/, "an address and a port"),
    "name server that is asked for push relays and webhooks alone, `127.0.0.1:53`; for tests",
    (server) => (server === undefined ? undefined : "it is for tests"),
  ),
  PUSH_ALLOW_PRIVATE_FOR_TESTS: variable(
    Joi.boolean().default(false),
    "whether a push relay or webhook may be at 127.0.0.1; for tests",
    (isAllowed) => (isAllowed ? "it is for tests" : undefined),
  ),
} as const;

/** A number by which P-256 can sign. */
function vapidKey(): Joi.AnySchema<string | undefined> {
  return Joi.any<string | undefined>().custom((text: unknown) => {
    const key = Buffer.from(String(text), "base64url");
    if (key.length !== 32) throw new Error("must be base64url of 32 bytes");
    try {
      createECDH("prime256v1").setPrivateKey(key);
    } catch {
      throw new Error("must be a private key of P-256");
    }
    return key.toString("base64url");
  });
}
