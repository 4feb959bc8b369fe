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

/** Encrypts and signs each message as the library does, and sends none. @returns a second's worth */
function encryptAll({ endpoints, keys, payload, vapidDetails }: Given): number {
  const startedAt = performance.now();
  for (const [at, endpoint] of endpoints.entries()) {
    const subscription = { endpoint, keys: keys[at % keys.length] ?? { p256dh: "", auth: "" } };
    const contentEncoding = "aes128gcm";
    webPush.generateRequestDetails(subscription, payload, { vapidDetails, contentEncoding });
  }
  return endpoints.length / ((performance.now() - startedAt) / 1_000);
}

answerCalls({ encryptAll });
