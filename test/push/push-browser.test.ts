import type { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { alreadySentAnswer } from "../../api/http/answer.ts";
import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { startBrowser } from "../support/http/browser.ts";
import { type PushSite, startPushSite } from "../support/push/push-site.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

/** Reads the code of the service worker from the documentation. */
function readWorker(): string {
  const page = readFileSync(path.join(projectFolder, "docs/clients/push.md"), "utf8");
  const [, worker] = /\n\/\/ worker\.js\n(.*?)```/s.exec(page) ?? [];
  if (worker === undefined) throw new Error("the documents show no service worker");
  return worker;
}

/** Returns a route that serves a file. A service worker must come from the origin of its page. */
const file = (place: `/${string}`, type: string, text: string) =>
  defineRoute({
    method: "get",
    path: place,
    gate: "public",
    set: "core",
    tag: "Account",
    summary: "A file of the web app",
    answers: { 200: { mediaType: type } },
    handle: ({ response }) => {
      response.removeHeader("Content-Security-Policy");
      response.type(type).send(text);
      return alreadySentAnswer;
    },
  });

let browser: Browser;
let site: PushSite;
let worker: TestWorker;

beforeAll(async () => {
  browser = await startBrowser();
  const page = file("/test/page", "text/html", "<!doctype html><title>push</title>");
  const script = file("/worker.js", "text/javascript", readWorker());
  site = await startPushSite({ routes: [...routes, page, script] });
  worker = await startTestWorker(site.server, ["push"]);
});
afterAll(async () => {
  await worker?.stop();
  await site?.stop();
  await browser?.close();
});

interface ShownNotification {
  readonly title: string;
  readonly tag: string;
  readonly data: unknown;
}

interface Registration {
  getNotifications(): Promise<readonly ShownNotification[]>;
}

/** The window of the page. It holds the keys that the push manager of a browser would hold. */
declare const window: {
  keys: webcrypto.CryptoKeyPair;
  auth: Uint8Array<ArrayBuffer>;
  readonly navigator: {
    readonly serviceWorker: {
      readonly ready: Promise<Registration>;
      register(script: string): Promise<Registration>;
    };
  };
};

/** Creates the keys of a subscription in the page, as the push manager of a browser does. */
const subscribe = (page: Page): Promise<{ p256dh: string; auth: string }> =>
  page.evaluate(async () => {
    const text = (bytes: Uint8Array): string =>
      btoa(String.fromCodePoint(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    const algorithm = { name: "ECDH", namedCurve: "P-256" };
    window.keys = await crypto.subtle.generateKey(algorithm, false, ["deriveBits"]);
    window.auth = crypto.getRandomValues(new Uint8Array(16));
    const key = await crypto.subtle.exportKey("raw", window.keys.publicKey);
    return { p256dh: text(new Uint8Array(key)), auth: text(window.auth) };
  });

/** Decrypts a message in the browser, as RFC 8291 and RFC 8188 define. */
const decrypt = (page: Page, body: string): Promise<string> =>
  page.evaluate(async (encoded) => {
    const { subtle } = crypto;
    const bytes = Uint8Array.from(atob(encoded), (sign) => sign.codePointAt(0) ?? 0);
    const [salt, size] = [bytes.slice(0, 16), bytes[20] ?? 0];
    const [sender, sealed] = [bytes.slice(21, 21 + size), bytes.slice(21 + size)];
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const from = await subtle.importKey("raw", sender, curve, false, []);
    const shared = await subtle.deriveBits(
      { name: "ECDH", public: from },
      window.keys.privateKey,
      256,
    );
    const own = new Uint8Array(await subtle.exportKey("raw", window.keys.publicKey));
    const derive = async (
      secret: webcrypto.BufferSource,
      given: webcrypto.BufferSource,
      info: webcrypto.BufferSource,
      bits: number,
    ) =>
      subtle.deriveBits(
        { name: "HKDF", hash: "SHA-256", salt: given, info },
        await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]),
        bits,
      );
    const label = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`${text}\0`);
    const info = new Uint8Array([...label("WebPush: info"), ...own, ...sender]);
    const secret = await derive(shared, window.auth, info, 256);
    const key = await derive(secret, salt, label("Content-Encoding: aes128gcm"), 128);
    const iv = await derive(secret, salt, label("Content-Encoding: nonce"), 96);
    const opener = await subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
    const opened = new Uint8Array(await subtle.decrypt({ name: "AES-GCM", iv }, opener, sealed));
    // The last byte 2 ends the text. After it there is only padding.
    return new TextDecoder().decode(opened.slice(0, opened.lastIndexOf(2)));
  }, body);

/**
 * Registers the service worker of the page.
 * @returns a function that delivers a push message to it
 */
async function installWorker(
  context: BrowserContext,
  page: Page,
): Promise<(data: string) => Promise<void>> {
  const session: CDPSession = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await page.evaluate(async () => {
    await window.navigator.serviceWorker.register("/worker.js");
    await window.navigator.serviceWorker.ready;
  });
  const registrationId = await registered;
  const { origin } = new URL(site.server.url);
  return async (data) => {
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await window.navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, tag, data }) => ({ title, tag, data }));
  });

describe("a real browser", () => {
  it("decrypts a message for its keys, and its service worker shows the notification", async () => {
    const context = await browser.newContext();
    await context.grantPermissions(["notifications"], { origin: site.server.url });
    const page = await context.newPage();
    await page.goto(`${site.server.url}/test/page`);
    const keys = await subscribe(page);
    const device = site.device({ keys, read: (body) => body.toString("base64") });
    const user = await signIn(site.server);
    await site.subscribe(user, "champ.start");
    await site.register(user, device);
    await site.announce({ stream: "champ.start", ref: "0x40000001", key: "browser" });
    await waitUntil("it is sent", () => device.received.length === 1);
    const [message] = device.received;
    const payload = await decrypt(page, message?.payload as string);
    expect(payload).toBe('{"stream":"champ.start","ref":"0x40000001"}');
    const deliver = await installWorker(context, page);
    await waitUntil("the worker shows it", async () => {
      // Deliver the message repeatedly: Chromium may forget a notification if the test lists notifications while
      // Chromium shows it. The tag prevents duplicates.
      await deliver(payload);
      await sleep(200);
      return (await shownIn(page)).length === 1;
    });
    expect(await shownIn(page)).toEqual([
      {
        title: "champ.start",
        tag: "champ.start 0x40000001",
        data: { stream: "champ.start", ref: "0x40000001" },
      },
    ]);
    await context.close();
  });
});
