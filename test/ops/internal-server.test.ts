import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";

import { Counter, Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createServerCloser } from "../../shared/ops/close-server.ts";
import { startInternalServer } from "../../shared/ops/internal-server.ts";

let server: Server;
let close: () => Promise<void>;
let isReady = true;

beforeAll(async () => {
  const registry = new Registry();
  new Counter({ name: "tests_total", help: "Tests.", registers: [registry] }).inc();
  const mood = () => {
    if (!isReady) throw new Error("not now");
    return "fine";
  };
  const options = { process: "test", host: "127.0.0.1", port: 0, registry };
  server = await startInternalServer({ ...options, readiness: { mood } });
  close = createServerCloser(server);
  // The first answer contains the time for which this process was blocked before, also by other
  // test files. So send one request before the tests.
  await ask("/internal/health?probe=live");
});
afterAll(() => close());

/** Sends a request with exactly this target, on a raw socket. */
async function ask(target: string): Promise<{ status: number; body: string }> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: internal\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body };
}

describe("the internal listener", () => {
  it("answers 200 while every readiness check passes, and 503 with the reason otherwise", async () => {
    const ready = await ask("/internal/health?probe=ready");
    expect(ready.status).toBe(200);
    expect(ready.body).toContain('"mood":{"ok":true');
    isReady = false;
    const failing = await ask("/internal/health");
    expect(failing.status).toBe(503);
    expect(failing.body).toContain('"detail":"not now"');
    expect((await ask("/internal/health?probe=live")).status).toBe(200);
    isReady = true;
  });

  it("shows the metrics of the process", async () => {
    const { status, body } = await ask("/internal/metrics");
    expect(status).toBe(200);
    expect(body).toContain("tests_total 1");
  });

  it.each(["/", "//", "///", "http://[", "/internal", "/internal/health/", "*", "/%ff"])(
    "answers 404 to %s and stays alive",
    async (target) => {
      expect((await ask(target)).status).toBe(404);
      expect((await ask("/internal/health?probe=live")).status).toBe(200);
    },
  );
});
