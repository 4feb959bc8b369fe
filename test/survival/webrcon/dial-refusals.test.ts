import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import { dialAttempts, waitAfterRefusal } from "../../../shared/survival/webrcon/console-socket.ts";
import { probeConsole } from "../../../shared/survival/webrcon/probe-console.ts";
import { until } from "../../support/clock/wait.ts";
import { Consoles } from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

describe("a wrong password", () => {
  it("is an error, and is tried at most three times in five minutes", async () => {
    const simulator = await consoles.start();
    const timing = { afterRefusalMs: () => 1 };
    const { feed, sessions } = consoles.feed(simulator, { password: "wrong", timing });
    await until("three dials", () => simulator.dials === 3);
    await until("the third refusal", () => feed.status.state === "error");
    const reason = "the console refused the password, or has banned the address of this service";
    expect(feed.status).toEqual({ state: "error", reason, pluginConnected: false });
    const settings = { host: "127.0.0.1", port: simulator.port, isSecure: false };
    await until("the third refusal is counted", () => waitOf(simulator.port) > 0);
    const probe = await probeConsole({ ...settings, password: simulator.password }, 1_000);
    expect(probe).toMatchObject({ ok: false, code: "AUTH" });
    expect(simulator.dials).toBe(3);
    expect(sessions).toEqual([]);
  });

  it("is tried again after a minute, and then every five and a half minutes", () => {
    expect([1, 2, 3].map(waitAfterRefusal)).toEqual([60_000, 330_000, 330_000]);
  });

  it("no longer counts after five minutes", () => {
    const port = 65_001;
    for (const now of [0, 1_000, 2_000]) dialAttempts.recordRefusal("Example.org", port, now);
    expect(dialAttempts.waitMs("example.org", port, 60_000)).toBe(240_000);
    expect(dialAttempts.waitMs("example.org", port, 300_001)).toBe(0);
  });
});

const waitOf = (port: number): number => dialAttempts.waitMs("127.0.0.1", port, Date.now());

describe("a right password", () => {
  it.each(["..", "a/../b", "%41%zz", "p?q=1&x", "~!@$^&*()_+{}|:<>?[];',./", "a\\b"])(
    "is sent byte for byte: %s",
    async (password) => {
      const simulator = await consoles.start({ password });
      const settings = { host: "127.0.0.1", port: simulator.port, password, isSecure: false };
      expect(await probeConsole(settings, 5_000)).toMatchObject({ ok: true });
      expect(simulator.dials).toBe(1);
    },
  );

  it("that would begin another line of the request is not sent", async () => {
    const simulator = await consoles.start();
    const password = "x HTTP/1.1\r\nHost: y";
    const settings = { host: "127.0.0.1", port: simulator.port, password, isSecure: false };
    expect(await probeConsole(settings, 5_000)).toMatchObject({ ok: false, code: "SHARD_DOWN" });
    expect(simulator.dials).toBe(0);
  });
});

it("an address that answers like a web server is no console", async () => {
  const server = createServer((_request, response) => response.writeHead(302).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { host: "127.0.0.1", port, password: "x", isSecure: false };
  expect(await probeConsole(settings, 5_000)).toMatchObject({
    ok: false,
    code: "MALFORMED",
    reason: "the address answered 302: it is not a console",
  });
  server.close();
});
