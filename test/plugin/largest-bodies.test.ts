import { describe, expect, it } from "vitest";

import { call, outcome } from "../support/http/call.ts";
import { pluginSite } from "../support/plugin/plugin-site.ts";

const site = pluginSite({ saysHello: true });

const mebibyte = 1024 * 1024;

/** Sends a body as JSON of so many bytes, which spaces fill. */
const send = (route: string, body: object, bytes: number) =>
  call(site.server, route, {
    headers: { authorization: `Bearer ${site.plugin.key}` },
    body: JSON.stringify(body).padEnd(bytes),
  });

const tooLarge = [413, { error: expect.any(String), code: "TOO_LARGE" }];

describe("a body of the largest documented size", () => {
  it("is taken in a hello, and one byte more is refused", async () => {
    const { bootId, epoch } = site.plugin;
    const hello = {
      protocol: 1,
      game: "uo",
      plugin: { name: "Guildhall for tests", version: "1.0.0" },
      server: { name: "Britannia", version: "57.3" },
      bootId,
      epoch,
      oldest: 1,
      head: 0,
      capabilities: [],
    };
    expect((await send("POST /plugin/hello", hello, mebibyte)).status).toBe(200);
    expect(outcome(await send("POST /plugin/hello", hello, mebibyte + 1))).toEqual(tooLarge);
  });

  it("is taken in a call with events, and one byte more is refused", async () => {
    const { bootId, epoch } = site.plugin;
    const payload = { text: "The gate opens", access: "Player" };
    const event = { seq: 1, kind: "world.broadcast", t: 1_790_000_000_000, payload };
    const body = { epoch, bootId, events: [event] };
    expect(outcome(await send("POST /plugin/events", body, mebibyte + 1))).toEqual(tooLarge);
    expect(outcome(await send("POST /plugin/events", body, mebibyte))).toEqual([200, { seq: 1 }]);
  });

  it("is taken in an outcome, and one byte more is refused", async () => {
    const asked = call(site.server, "GET /admin/shardlink/towncrier", site.admin);
    const [command] = await site.plugin.take();
    const route = `POST /plugin/commands/${command?.id}?bootId=${site.plugin.bootId}`;
    const body = { status: 200, body: { entries: [] } };
    expect(outcome(await send(route, body, 12 * mebibyte + 1))).toEqual(tooLarge);
    expect((await send(route, body, 12 * mebibyte)).status).toBe(204);
    expect(outcome(await asked)).toEqual([200, { entries: [] }]);
  });

  it("is taken in a file, and one byte more is refused", async () => {
    for (const [bytes, status] of [
      [8 * mebibyte - 1, 204],
      [8 * mebibyte, 204],
      [8 * mebibyte + 1, 413],
    ] as const) {
      const asked = call(site.server, "GET /admin/shardlink/towncrier", site.admin);
      const [command] = await site.plugin.take();
      const data = Buffer.alloc(bytes).toString("base64");
      const answer = await site.plugin.answer(command?.id ?? "", 200, { mime: "image/png", data });
      expect([bytes, answer.status]).toEqual([bytes, status]);
      await asked;
    }
  });
});
