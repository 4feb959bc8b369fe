import webPush from "web-push";

import { answerCalls } from "../parts/answering.ts";

interface Given {
  readonly endpoints: readonly string[];
  readonly keys: readonly { readonly p256dh: string; readonly auth: string }[];
  readonly payload: string;
  readonly vapidDetails: {
    readonly subject: string;
    readonly publicKey: string;
    readonly privateKey: string;
  };
}

/**
 * The baseline: encrypts each message with the library and sends nothing. It signs once per relay, because a
 * signature is valid for half a day.
 * @returns messages per second
 */
function encryptAll({ endpoints, keys, payload, vapidDetails }: Given): number {
  const startedAt = performance.now();
  const signatures = new Map<string, string>();
  for (const [at, endpoint] of endpoints.entries()) {
    const { origin } = new URL(endpoint);
    const signature = signatures.get(origin) ?? sign(origin, vapidDetails);
    signatures.set(origin, signature);
    const subscription = { endpoint, keys: keys[at % keys.length] ?? { p256dh: "", auth: "" } };
    const headers = { Authorization: signature };
    webPush.generateRequestDetails(subscription, payload, { headers, contentEncoding });
  }
  return endpoints.length / ((performance.now() - startedAt) / 1_000);
}

const contentEncoding = "aes128gcm";

const sign = (origin: string, { subject, publicKey, privateKey }: Given["vapidDetails"]): string =>
  webPush.getVapidHeaders(origin, subject, publicKey, privateKey, contentEncoding).Authorization;

answerCalls({ encryptAll });
