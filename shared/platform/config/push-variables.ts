import { createECDH } from "node:crypto";

import Joi from "joi";

import { durationSchema, listValueSchema, originSchema, pushOriginSchema } from "./values.ts";
import { requireAtLeast, defineVariable } from "./variable.ts";

interface BrowserRelay {
  /** `https://host`, or `https://*.host` for any one label before the host. */
  readonly origin: string;
  readonly usedBy: string;
  readonly source: string;
  /** The date on which the source of this entry was last read. */
  readonly readOn: string;
}

/**
 * CATALOGUE of the push relays that browsers use. It omits relays of test environments
 * (`updates-autopush.stage.mozaws.net`), relays that are shut down (`android.googleapis.com`), and
 * `permanently-removed.invalid`, which Edge on Android sends if it has no relay.
 */
const browserRelays = [
  {
    origin: "https://fcm.googleapis.com",
    usedBy: "Chrome, Brave, Opera, Samsung Internet, Vivaldi, Edge on Android",
    source:
      "chromium/chromium, components/push_messaging/push_messaging_constants.cc (bd7ddabd6965)",
    readOn: "2026-11-29",
  },
  {
    origin: "https://jmt17.google.com",
    usedBy: "builds of Chromium that are not of the stable channel: beta, dev, canary, unbranded",
    source:
      "chromium/chromium, components/push_messaging/push_messaging_utils.cc, GetGcmEndpointForChannel",
    readOn: "2026-11-29",
  },
  {
    origin: "https://updates.push.services.mozilla.com",
    usedBy: "Firefox on every system, Sunup (UnifiedPush)",
    source: "https://mozilla-services.github.io/autopush-rs/, autopush Endpoints, production",
    readOn: "2026-11-29",
  },
  {
    origin: "https://*.push.apple.com",
    usedBy: "Safari on macOS, every browser on iOS and iPadOS (web.push.apple.com)",
    source: "https://developer.apple.com/videos/play/wwdc2022/10098/: any subdomain",
    readOn: "2026-11-29",
  },
  {
    origin: "https://*.notify.windows.com",
    usedBy: "Edge on Windows (wns2-….notify.windows.com)",
    source:
      "https://learn.microsoft.com/windows/apps/develop/notifications/push-notifications/wns-overview: the subdomain may change",
    readOn: "2026-11-29",
  },
] as const satisfies readonly BrowserRelay[];

const browserRelayOrigins: readonly string[] = browserRelays.map((relay) => relay.origin);

const isOff = (origins: unknown): boolean => Array.isArray(origins) && origins.length === 0;

export const pushVariables = {
  PUSH_ALLOWED_ORIGINS: {
    ...defineVariable(
      listValueSchema(pushOriginSchema()).default([...browserRelayOrigins]),
      "origins of the browsers' push relays that devices may use, as `https://host[:port]` or " +
        "`https://*.host[:port]`, separated by commas; an empty value turns push off",
    ),
    takesEmpty: true,
  },
  PUSH_EXTRA_ORIGINS: defineVariable(
    listValueSchema(pushOriginSchema()).default([]),
    "origins of other push relays, such as ntfy and other UnifiedPush servers, in the same form " +
      "as PUSH_ALLOWED_ORIGINS; a relay that is listed without `*` may have a private IP address",
  ),
  VAPID_KEY: defineVariable(
    vapidKey(),
    "private key that signs push messages (base64url of 32 bytes); if it changes, every device " +
      "must subscribe again",
    (key, { PUSH_ALLOWED_ORIGINS }) =>
      key === undefined && !isOff(PUSH_ALLOWED_ORIGINS)
        ? "set it, or turn push off: a randomly generated key is valid on one machine only"
        : undefined,
  ),
  VAPID_SUBJECT: defineVariable(
    Joi.string<string | undefined>().uri({ scheme: ["https", "mailto"] }),
    "https or mailto URL at which operators of push relays can contact you; the default is " +
      "PUBLIC_BASE_URL if that is https, otherwise the e-mail address of MAIL_FROM",
  ),
  PUSH_RETRY: defineVariable(
    durationSchema("30s"),
    "wait before the second of the five tries to send a push message; the wait doubles before " +
      "each further try",
    requireAtLeast("5s"),
  ),
  PUSH_TIMEOUT: defineVariable(
    durationSchema("10s", { least: "100ms", most: "1m" }),
    "longest time that one try to send a push message or a webhook message may take",
    requireAtLeast("1s"),
  ),
  WEBHOOK_ALLOWED_ORIGINS: defineVariable(
    listValueSchema(originSchema()).default([]),
    "origins at which webhooks may use plain http and private IP addresses, such as the origin " +
      "of a bot on the same machine; separated by commas",
  ),
  WEBHOOK_RETRY: defineVariable(
    durationSchema("10s"),
    "wait before the second of the nine tries to send a webhook message; the wait quadruples " +
      "before each further try, up to 8 hours",
    requireAtLeast("1s"),
  ),
  PUSH_DNS: defineVariable(
    Joi.string<string | undefined>().pattern(/^[\d.]+:\d{1,5}$/, "an address and a port"),
    "IP address and port of the name server that resolves the hosts of push relays and webhooks, " +
      "such as `127.0.0.1:53`; for tests",
    (server) => (server === undefined ? undefined : "it is for tests"),
  ),
  PUSH_ALLOW_PRIVATE_FOR_TESTS: defineVariable(
    Joi.boolean().default(false),
    "whether push relays and webhooks may be at 127.0.0.1; for tests",
    (isAllowed) => (isAllowed ? "it is for tests" : undefined),
  ),
} as const;

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
