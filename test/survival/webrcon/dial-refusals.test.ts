import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import { afterEach, describe, expect, it } from "vitest";

import { computeRefusalDelayMs } from "../../../shared/survival/webrcon/console-socket.ts";
import { probeConsole } from "../../../shared/survival/webrcon/probe-console.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { makeCertificate } from "../../support/network/certificate.ts";
import { Consoles, createMemoryConsoleStore } from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

describe("a wrong password", () => {
  it("sets the state to error, and is sent only while the store allows a dial", async () => {
    const simulator = await consoles.start();
    const timing = { afterRefusalMs: () => 1 };
    const store = createMemoryConsoleStore(3);
    const { feed, sessions } = consoles.feed(simulator, { password: "wrong", timing, store });
    await waitUntil("three dials", () => simulator.dials === 3);
    await waitUntil("the third refusal", () => feed.status.state === "error");
    const reason = "the console refused the password, or has banned the address of this service";
    expect(feed.status).toEqual({ state: "error", reason, pluginConnected: false });
    const settings = { host: "127.0.0.1", port: simulator.port, isSecure: false };
    const probe = await probeConsole({ ...settings, password: simulator.password }, 1_000, store);
    expect(probe).toMatchObject({ ok: false, code: "AUTH" });
    expect(simulator.dials).toBe(3);
    expect(sessions).toEqual([]);
  });

  it("is tried again after a minute, and then every five and a half minutes", () => {
    expect([1, 2, 3].map(computeRefusalDelayMs)).toEqual([60_000, 330_000, 330_000]);
  });

  it("is no longer reported if the console cannot be reached afterwards", async () => {
    const simulator = await consoles.start();
    const timing = { afterRefusalMs: () => 1 };
    const { feed } = consoles.feed(simulator, { password: "wrong", timing });
    await waitUntil("the password is refused", () => feed.status.state === "error");
    await simulator.close();
    await waitUntil("the console is away", () => feed.status.reason === "ECONNREFUSED");
    expect(feed.status.state).toBe("reconnecting");
  });
});

it("dials that the console does not refuse do not count toward the limit of dials", async () => {
  const simulator = await consoles.start();
  const store = createMemoryConsoleStore(1);
  const { feed, untilEvents } = consoles.feed(simulator, { store });
  await untilEvents("player.online");
  simulator.cut();
  await untilEvents("player.online", 2);
  await simulator.close();
  await waitUntil("the console is dialed in vain", () => feed.status.reason === "ECONNREFUSED");
  await simulator.open();
  const told = await untilEvents("player.online", 3);
  expect(told).toHaveLength(3);
});

it("an untrusted certificate is reported as the reason of the failed test", async () => {
  const tls = createTlsServer(makeCertificate(["127.0.0.1"]));
  await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
  const { port } = tls.address() as AddressInfo;
  const settings = { host: "127.0.0.1", port, password: "x", isSecure: true };
  expect(await probeConsole(settings, 5_000, createMemoryConsoleStore())).toMatchObject({
    code: "SHARD_DOWN",
    reason:
      "the certificate is not valid for this host, or not publicly trusted: DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  tls.close();
});

describe("a right password", () => {
  it.each(["..", "a/../b", "%41%zz", "p?q=1&x", "~!@$^&*()_+{}|:<>?[];',./", "a\\b"])(
    "is sent byte for byte: %s",
    async (password) => {
      const simulator = await consoles.start({ password });
      const settings = { host: "127.0.0.1", port: simulator.port, password, isSecure: false };
      expect(await probeConsole(settings, 5_000, createMemoryConsoleStore())).toMatchObject({
        ok: true,
      });
      expect(simulator.dials).toBe(1);
    },
  );

  it("is not sent if it would begin another line of the request", async () => {
    const simulator = await consoles.start();
    const password = "x HTTP/1.1\r\nHost: y";
    const settings = { host: "127.0.0.1", port: simulator.port, password, isSecure: false };
    expect(await probeConsole(settings, 5_000, createMemoryConsoleStore())).toMatchObject({
      ok: false,
      code: "SHARD_DOWN",
    });
    expect(simulator.dials).toBe(0);
  });
});

it("an address with a web server is reported as not a console", async () => {
  const server = createServer((_request, response) => response.writeHead(302).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { host: "127.0.0.1", port, password: "x", isSecure: false };
  expect(await probeConsole(settings, 5_000, createMemoryConsoleStore())).toMatchObject({
    ok: false,
    code: "MALFORMED",
    reason: "the address answered 302: it is not a console",
  });
  server.close();
});
