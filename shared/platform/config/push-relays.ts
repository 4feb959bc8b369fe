/** A push relay of browsers, and where its maker says so. */
interface BrowserRelay {
  /** `https://host`, or `https://*.host` with one label before the host. */
  readonly origin: string;
  readonly usedBy: string;
  readonly source: string;
  /** When the source was last read, as a date. */
  readonly readOn: string;
}

/**
 * CATALOGUE of the push relays that browsers subscribe at. The relays of test environments
 * (`updates-autopush.stage.mozaws.net`) and those that are shut down (`android.googleapis.com`) are left
 * out, and so is `permanently-removed.invalid`, which Edge on Android names where it has no relay.
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

export const browserRelayOrigins: readonly string[] = browserRelays.map(({ origin }) => origin);
