import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

import Joi from "joi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { BridgeError } from "../../shared/platform/bridge/bridge-error.ts";
import {
  declareCommand,
  idempotencyKeyOf,
  declareRead,
  serviceActor,
} from "../../shared/platform/bridge/calls/call.ts";
import {
  type ControlClient,
  type ControlOptions,
  createControlClient,
} from "../../shared/platform/bridge/calls/control.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { startCallServer } from "./call-server.ts";
import { startResettingServer } from "./resetting-server.ts";
import { pollUntil } from "./until.ts";

interface Named {
  readonly name: string;
  readonly note: string | null;
}

const named = Joi.object<Named, true>({ name: Joi.string(), note: Joi.string().allow(null) });
const getThing = declareRead<Named, { params: { id: string }; query?: { page?: number | null } }>({
  method: "GET",
  path: "/v1/things/:id",
  answer: named,
});
const makeThing = declareCommand<Named, { body: { name: string } }>({
  method: "POST",
  path: "/v1/things",
  answer: named,
});
const actor = { userId: 7, username: "Zoë", role: "moderator" };
const thing = { name: "anvil", note: null };

let server: Awaited<ReturnType<typeof startCallServer>>;
let control: ControlClient;

function connect(options: ControlOptions = {}, baseUrl = server.baseUrl): ControlClient {
  control = createControlClient({ baseUrl, token: "s3cret", protocol: 8 }, options);
  return control;
}

/** Returns the properties of a call's error that callers can see. */
async function failure(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BridgeError)) throw new Error(`no bridge error: ${String(error)}`);
  const { kind, code, message, retryAfter, reason } = error;
  return { kind, code, message, reason, ...(retryAfter !== undefined && { retryAfter }) };
}

const readThing = () => control.read(getThing, { params: { id: "1" } });

beforeEach(async () => {
  server = await startCallServer();
  connect();
});

afterEach(async () => {
  control.close();
  await server.close();
});

describe("Control.read", () => {
  it("requests the base URL with the token, the protocol and the request id", async () => {
    server.answer({ body: thing });
    const input = { params: { id: "a b/ü" }, query: { page: 3 }, requestId: "req-1" };
    expect(await control.read(getThing, input)).toEqual(thing);
    expect(server.calls).toHaveLength(1);
    const { method, url, headers, text } = server.calls[0] ?? {};
    expect({ method, url, text }).toEqual({
      method: "GET",
      url: "/bridge/v1/things/a%20b%2F%C3%BC?page=3",
      text: "",
    });
    expect(headers).toMatchObject({
      accept: "application/json",
      authorization: "Bearer s3cret",
      "x-bridge-protocol": "8",
      "x-request-id": "req-1",
    });
    expect(headers).not.toHaveProperty("idempotency-key");
    expect(headers).not.toHaveProperty("x-bridge-actor");
  });

  it("generates a request id and omits null query parameters", async () => {
    server.answer({ body: thing });
    await control.read(getThing, { params: { id: "1" }, query: { page: null } });
    expect(server.calls[0]?.url).toBe("/bridge/v1/things/1");
    expect(server.calls[0]?.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });

  it.each(["", ".", ".."])("reports NOT_FOUND for the id %j without a request", async (id) => {
    expect(await failure(control.read(getThing, { params: { id } }))).toMatchObject({
      kind: "missing",
      code: "NOT_FOUND",
    });
    expect(server.calls).toEqual([]);
  });

  it("drops undeclared fields and replaces characters that a database cannot store", async () => {
    server.answer({ body: { name: "a\0b\ud800", note: null, secret: "x" } });
    expect(await readThing()).toEqual({ name: "a\uFFFDb\uFFFD", note: null });
  });

  it("reuses its connection, and retries on a new connection if the reused one is closed", async () => {
    server.answer({ body: thing });
    await readThing();
    await readThing();
    expect(server.calls[0]?.port).toBe(server.calls[1]?.port);
    server.server.closeAllConnections();
    // Call again before the client can notice that its keep-alive connection has ended.
    expect(await readThing()).toEqual(thing);
    expect(server.calls[2]?.port).not.toBe(server.calls[1]?.port);
  });

  it("retries on a new connection if the server resets the reused one", async () => {
    const resetting = await startResettingServer();
    const { read: ask, close } = createControlClient({ ...resetting, token: "x", protocol: 8 });
    const nothing = declareRead({ method: "GET", path: "/v1/nothing", answer: Joi.object() });
    const readNothing = () => ask(nothing);
    await readNothing();
    resetting.reset();
    expect(await readNothing()).toEqual({});
    close();
    await resetting.stop();
  });

  it("rejects a call that needs a newer protocol, without a request", async () => {
    const call = declareRead<Named>({
      method: "GET",
      path: "/v1/later",
      answer: named,
      since: { protocol: 9, before: "NO_SOURCE" },
    });
    expect(await failure(control.read(call))).toEqual({
      kind: "upstream",
      code: "NO_SOURCE",
      message: "The game server has no files for this",
      reason: "GET /v1/later needs protocol 9; the link is set to 8",
    });
    expect(server.calls).toEqual([]);
  });
});

describe("Control.command", () => {
  it("sends the actor, the given idempotency key and the body", async () => {
    server.answer({ status: 201, body: thing });
    const order = { actor: { ...actor, email: "z@x" }, idempotencyKey: "k1", requestId: "req-2" };
    expect(await control.command(makeThing, order, { body: { name: "anvil" } })).toEqual(thing);
    const { method, url, headers, text } = server.calls[0] ?? {};
    expect({ method, url, text }).toEqual({
      method: "POST",
      url: "/bridge/v1/things",
      text: '{"name":"anvil"}',
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": "k1",
      "x-request-id": "req-2",
    });
    const sent = Buffer.from(String(headers?.["x-bridge-actor"]), "base64url").toString();
    expect(JSON.parse(sent)).toEqual(actor);
  });

  it("generates a new idempotency key for each call that has none", async () => {
    server.answer({ body: thing });
    for (let i = 0; i < 2; i += 1) {
      await control.command(makeThing, { actor: serviceActor }, { body: { name: "x" } });
    }
    const keys = server.calls.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  it("sends a command once, even if it fails", async () => {
    for (const status of [500, 502, 503, 429]) {
      server.answer({ status });
      await failure(control.command(makeThing, { actor }, { body: { name: "x" } }));
    }
    server.answer((_, response) => void response.destroy());
    await failure(control.command(makeThing, { actor }, { body: { name: "x" } }));
    expect(server.calls).toHaveLength(5);
  });

  it("never reuses a connection", async () => {
    server.answer({ body: thing });
    await readThing();
    await control.command(makeThing, { actor }, { body: { name: "x" } });
    expect(server.calls[1]?.port).not.toBe(server.calls[0]?.port);
    expect(server.calls[1]?.headers.connection).toBe("close");
  });
});

describe("An error response of the game server", () => {
  it.each([
    [400, "INVALID", "invalid"],
    [403, "PROTECTED", "forbidden"],
    [403, "WRITES_DISABLED", "forbidden"],
    [403, "SIGNUP_CLOSED", "forbidden"],
    [404, "NOT_FOUND", "missing"],
    [409, "TAKEN", "conflict"],
    [409, "CONFLICT", "conflict"],
    [409, "BUSY", "upstream"],
    [409, "PROTOCOL", "upstream"],
    [422, "UNSUPPORTED", "upstream"],
    [422, "DISABLED", "upstream"],
    [422, "NO_SOURCE", "upstream"],
    [422, "NO_IMAGING", "upstream"],
    [429, "LIMIT", "limited"],
    [503, "SHARD_DOWN", "unavailable"],
  ])(
    "keeps its code, and status %i with code %s becomes an error of the kind %s",
    async (status, code, kind) => {
      server.answer({ status, body: { code } });
      expect(await failure(readThing())).toMatchObject({ kind, code });
    },
  );

  it.each([
    [401, {}, "UNAUTHORIZED"],
    [418, {}, "MALFORMED"],
    [404, {}, "MALFORMED"],
    [400, { code: "TAKEN" }, "MALFORMED"],
    [409, { code: "constructor" }, "MALFORMED"],
    [302, { code: "NOT_FOUND" }, "MALFORMED"],
    [500, {}, "UNAVAILABLE"],
    [503, { code: "MAINTENANCE" }, "UNAVAILABLE"],
    [500, { code: "NOT_FOUND" }, "UNAVAILABLE"],
  ])(
    "is a fault of the game server if status and body are undeclared: %i %j becomes %s",
    async (status, body, code) => {
      server.answer({ status, body, headers: { location: "/elsewhere" } });
      expect(await failure(readThing())).toMatchObject({ kind: "upstream", code });
      expect(server.calls).toHaveLength(1);
    },
  );

  it("names the field and the reason if a field is wrong", async () => {
    server.answer({ status: 400, body: { code: "INVALID", field: "name", reason: "too long\0" } });
    const error = await readThing().catch((reason: unknown) => reason as BridgeError);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      kind: "invalid",
      message: "name: too long\uFFFD",
      fault: { path: "name", message: "too long\uFFFD" },
      faults: undefined,
    });
  });

  it.each([
    ["120", 120],
    ["soon", 10],
    [undefined, 10],
    ["0", 1],
  ])(
    "passes on its Retry-After header as the wait in seconds: %j becomes %i s",
    async (header, retryAfter) => {
      for (const [status, code] of [
        [429, "LIMIT"],
        [503, "SHARD_DOWN"],
      ] as const) {
        const headers = header === undefined ? {} : { "retry-after": header };
        server.answer({ status, body: { code }, headers });
        expect(await failure(readThing())).toMatchObject({ code, retryAfter });
      }
    },
  );

  it("tells staff what to fix if the token or the protocol is wrong", async () => {
    server.answer({ status: 401 });
    expect(await failure(readThing())).toMatchObject({
      code: "UNAUTHORIZED",
      reason: "the sidecar refused the token",
    });
    server.answer({ status: 409, body: { code: "PROTOCOL", server: 9, client: 8 } });
    expect(
      await failure(control.command(makeThing, { actor }, { body: { name: "x" } })),
    ).toMatchObject({
      code: "PROTOCOL",
      reason: "the sidecar speaks protocol 9, this link is set to 8",
    });
  });
});

describe("An error response nested 20,000 levels deep", () => {
  it.each([400, 409, 503])(
    "is read as an error without details if it has the status %i",
    async (status) => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      // Because of the escape sequence, the client cleans all texts of the answer and so descends through all
      // levels.
      server.answer({ status, text: `{"code":"BUSY","reason":"\\u0000","deep":${deep}}` });
      expect(await failure(readThing())).toMatchObject({
        reason: `the sidecar answered ${status}`,
      });
    },
  );
});

describe("An answer of the game server", () => {
  const html = { "content-type": "text/html" };

  it.each([
    ["not JSON", { text: "<html>", headers: html }],
    ["JSON with another content type", { text: '{"name":"a","note":null}', headers: html }],
    ["broken JSON", { text: '{"name":' }],
    ["a list", { body: [thing] }],
    ["empty", { text: "" }],
    ["missing a field", { body: { name: "anvil" } }],
    ["a number in place of a text", { body: { name: 7, note: null } }],
  ])("is rejected as MALFORMED if it is %s", async (_, answer) => {
    server.answer(answer);
    expect(await failure(readThing())).toMatchObject({
      kind: "upstream",
      code: "MALFORMED",
      message: "The game server's answer was not understood",
      reason: expect.stringContaining("GET /v1/things/:id"),
    });
  });

  it.each([
    [32, "understood"],
    [33, "MALFORMED"],
  ])("is read up to 32 nested levels: an answer with %i levels is %s", async (levels, outcome) => {
    const free = declareRead({ method: "GET", path: "/v1/free", answer: Joi.object().unknown() });
    server.answer({ text: `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}` });
    const understood = control.read(free).then(() => "understood");
    expect(await understood.catch(({ code }: BridgeError) => code)).toBe(outcome);
  });

  it("is rejected while it is read if it is too large", async () => {
    connect({ maxBytes: 1_000_000 });
    let isCut = false;
    server.answer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.on("close", () => {
        isCut = true;
      });
      const more = (): void => {
        if (!isCut) response.write(" ".repeat(100_000), () => setImmediate(more));
      };
      more();
      return undefined;
    });
    expect(await failure(readThing())).toMatchObject({ kind: "upstream", code: "TOO_LARGE" });
    await pollUntil(() => isCut);
  });

  it("makes the game server unavailable if it does not arrive before the timeout", async () => {
    connect({ callMs: 30 });
    server.answer(() => undefined);
    expect(await failure(readThing())).toEqual({
      kind: "unavailable",
      code: "SHARD_DOWN",
      message: "The game server cannot be reached",
      reason: "no answer in 30 ms",
      retryAfter: 10,
    });
  });

  it("makes the game server unavailable if it stalls or is cut off", async () => {
    connect({ callMs: 100 });
    server.answer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"name":');
      return undefined;
    });
    expect(await failure(readThing())).toMatchObject({ code: "SHARD_DOWN" });
    server.answer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"name":', () => response.destroy());
      return undefined;
    });
    expect(await failure(readThing())).toMatchObject({ code: "SHARD_DOWN", reason: "ECONNRESET" });
  });

  it("may take as long as the timeout of its call allows", async () => {
    connect({ callMs: 1 });
    server.answer((_, response) => {
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(thing));
      }, 50);
      return undefined;
    });
    const slow = declareRead<Named>({
      method: "GET",
      path: "/v1/slow",
      answer: named,
      timeoutMs: 20_000,
    });
    expect(await control.read(slow)).toEqual(thing);
  });

  it("is no longer awaited once its caller aborts", async () => {
    server.answer(() => undefined);
    const leaving = new AbortController();
    const call = control.read(getThing, { params: { id: "1" }, signal: leaving.signal });
    await pollUntil(() => server.calls.length === 1);
    leaving.abort(new Error("the client left"));
    await expect(call).rejects.toThrow("the client left");
  });
});

describe("An unreachable game server", () => {
  it("is reported as unavailable if it refuses the connection", async () => {
    const gone = await startCallServer();
    await gone.close();
    connect({}, gone.baseUrl);
    expect(await failure(readThing())).toMatchObject({
      kind: "unavailable",
      code: "SHARD_DOWN",
      reason: "ECONNREFUSED",
    });
  });

  it("is reported as unavailable if connecting, with the TLS handshake, times out", async () => {
    const deaf = createServer(() => undefined);
    const port = await portOf(deaf);
    connect({ connectMs: 30 }, `https://127.0.0.1:${port}`);
    expect(await failure(readThing())).toMatchObject({
      code: "SHARD_DOWN",
      reason: "not connected in 30 ms",
    });
    deaf.close();
  });

  it("is reported as unavailable if its host name does not resolve", async () => {
    connect({}, "http://no-such-host.invalid");
    expect(await failure(readThing())).toMatchObject({ kind: "unavailable", code: "SHARD_DOWN" });
  });

  it("is reported as faulty if it does not speak HTTP", async () => {
    const odd = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    connect({}, `http://127.0.0.1:${await portOf(odd)}`);
    expect(await failure(readThing())).toMatchObject({ kind: "upstream", code: "MALFORMED" });
    odd.close();
  });

  it("is reported as faulty if its token cannot be sent in a header", async () => {
    control = createControlClient({ baseUrl: server.baseUrl, token: "a\nb", protocol: 8 });
    expect(await failure(readThing())).toMatchObject({ kind: "upstream", code: "UNAVAILABLE" });
  });
});

async function portOf(listening: Server): Promise<number> {
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return (listening.address() as AddressInfo).port;
}

describe("idempotencyKeyOf", () => {
  it("is equal for equal user, route and client key, and differs if any of these differs", () => {
    const key = idempotencyKeyOf(1, "POST /kick", "k");
    expect(key).toMatch(/^[\da-f]{64}$/);
    expect(idempotencyKeyOf(1, "POST /kick", "k")).toBe(key);
    expect(idempotencyKeyOf(2, "POST /kick", "k")).not.toBe(key);
    expect(idempotencyKeyOf(1, "POST /ban", "k")).not.toBe(key);
    expect(idempotencyKeyOf(1, "POST /kick", "l")).not.toBe(key);
  });

  it("is undefined if the client sent no key", () => {
    expect(idempotencyKeyOf(1, "POST /kick", undefined)).toBeUndefined();
  });
});
