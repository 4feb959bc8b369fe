import { describe, expect, it } from "vitest";

import { query } from "../support/database/query.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";

const site = usePluginTestSite({ saysHello: true });

const mebibyte = 1024 * 1024;

/** Sends a JSON body, padded with spaces to this number of bytes. */
const send = (route: string, body: object, bytes: number) =>
  callRoute(site.server, route, {
    headers: { authorization: `Bearer ${site.plugin.key}` },
    body: JSON.stringify(body).padEnd(bytes),
  });

const tooLarge = [413, { error: expect.any(String), code: "TOO_LARGE" }];

/**
 * Inserts a command that a plugin has taken. No caller waits for it, so there is enough time for a
 * large body.
 * @returns the command's id
 */
async function takenCommand(): Promise<string> {
  const [row] = await query<{ id: string }>(
    site.server,
    `insert into plugin_commands (id, source, call, input, key, digest, state, is_read, take_before,
       answer_before)
     values (gen_random_uuid(), 'shard', 'POST /v1/broadcast', '{}', 'once', '', 'taken', false,
       now(), now() + interval '1 minute') returning id`,
  );
  return row?.id ?? "";
}

const storedOutcome = async (id: string) =>
  (
    await query<{ status: number; bytes: number }>(
      site.server,
      "select status, octet_length(outcome) as bytes from plugin_commands where id = $1",
      id,
    )
  )[0];

describe("a request body of the largest documented size", () => {
  it("is accepted in a hello, and one byte more is answered 413", async () => {
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
    expect(statusAndBodyOf(await send("POST /plugin/hello", hello, mebibyte + 1))).toEqual(
      tooLarge,
    );
  });

  it("is accepted in a call with events, and one byte more is answered 413", async () => {
    const { bootId, epoch } = site.plugin;
    const payload = { text: "The gate opens", access: "Player" };
    const event = { seq: 1, kind: "world.broadcast", t: 1_790_000_000_000, payload };
    const body = { epoch, bootId, events: [event] };
    expect(statusAndBodyOf(await send("POST /plugin/events", body, mebibyte + 1))).toEqual(
      tooLarge,
    );
    expect(statusAndBodyOf(await send("POST /plugin/events", body, mebibyte))).toEqual([
      200,
      { seq: 1 },
    ]);
  });

  it("is accepted in an outcome, and one byte more is answered 413", async () => {
    const id = await takenCommand();
    const route = `POST /plugin/commands/${id}?bootId=${site.plugin.bootId}`;
    const body = { status: 200, body: { ok: true } };
    expect(statusAndBodyOf(await send(route, body, 12 * mebibyte + 1))).toEqual(tooLarge);
    expect((await send(route, body, 12 * mebibyte)).status).toBe(204);
    expect(await storedOutcome(id)).toEqual({ status: 200, bytes: 11 });
  });

  it.each([
    [8 * mebibyte - 1, 204, 200],
    [8 * mebibyte, 204, 200],
    [8 * mebibyte + 1, 413, 500],
  ])("with a file of %i bytes in an outcome is answered %i", async (bytes, status, stored) => {
    const id = await takenCommand();
    const data = Buffer.alloc(bytes).toString("base64");
    const answer = await site.plugin.answer(id, 200, { mime: "image/png", data });
    expect(answer.status).toBe(status);
    expect((await storedOutcome(id))?.status).toBe(stored);
  });
});
