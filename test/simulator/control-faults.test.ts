import { afterEach, describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { callControl, callSim, moderator, openStream } from "./client.ts";
import type { SimulatorAnswer } from "./client.ts";
import { FaultError } from "./faults/fault.ts";
import type { Simulator } from "./simulator.ts";
import { emitBroadcasts, createSimulatorPool } from "./starting.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

type Row = Readonly<Record<string, unknown>>;

const health = (simulator: Simulator): Promise<SimulatorAnswer> =>
  callControl(simulator, "GET", "/v1/health");

const read = async (simulator: Simulator, path: string): Promise<Row> =>
  (await callControl(simulator, "GET", path)).body as Row;

describe("faults of the control plane", () => {
  it.each([
    ["status", {}, { status: 500, body: { code: "INTERNAL" } }],
    ["status", { status: 422, code: "BUSY" }, { status: 422, body: { code: "BUSY" } }],
    ["html", {}, { status: 200, body: expect.stringContaining("<html>") }],
    ["redirect", {}, { status: 302, body: "" }],
    ["unauthorized", {}, { status: 401, body: { code: "UNAUTHORIZED" } }],
    ["protocol", {}, { status: 409, body: { code: "PROTOCOL", server: 9, client: null } }],
  ] as const)("the fault %s %j replaces one answer", async (name, options, answer) => {
    const simulator = await start();
    simulator.faults.trigger(name, options);
    expect(await health(simulator)).toEqual(answer);
    expect((await health(simulator)).status).toBe(200);
  });

  it("the fault rubbish breaks off the JSON of an answer", async () => {
    const simulator = await start();
    simulator.faults.trigger("rubbish");
    await expect(health(simulator)).rejects.toThrow(SyntaxError);
  });

  it("can be limited to a method and a path, and last until they are cleared if times is 0", async () => {
    const simulator = await start();
    simulator.faults.trigger("status", { method: "GET", path: "/v1/links", times: 0 });
    expect((await health(simulator)).status).toBe(200);
    const links = () => callControl(simulator, "GET", "/v1/links");
    expect((await links()).status).toBe(500);
    expect((await links()).status).toBe(500);
    simulator.faults.clear();
    expect((await links()).status).toBe(200);
  });

  it("prevent a command, or let it run and replace its answer", async () => {
    const simulator = await start();
    const body = { text: "hi" };
    const broadcast = () => callControl(simulator, "POST", "/v1/broadcast", { body, key: "k" });
    const said = () => simulator.buffer.log.filter(({ kind }) => kind === "world.broadcast").length;
    simulator.faults.trigger("status");
    expect((await broadcast()).status).toBe(500);
    expect(said()).toBe(0);
    simulator.faults.trigger("status", { carryOut: true });
    expect((await broadcast()).status).toBe(500);
    expect(said()).toBe(1);
    expect((await broadcast()).status).toBe(200);
    expect(said()).toBe(1);
    const { commands } = simulator.received;
    expect(
      commands.map(({ status, carriedOut, replayed }) => [status, carriedOut, replayed]),
    ).toEqual([
      [null, false, false],
      [null, true, false],
      [200, false, true],
    ]);
    expect(commands.map(({ key }) => key)).toEqual(["k", "k", "k"]);
    expect(commands.map(({ actor }) => actor)).toEqual([moderator, moderator, moderator]);
    expect(commands.map((command) => command.body)).toEqual([body, body, body]);
  });

  it("the fault slow runs a command at once and answers late", async () => {
    const simulator = await start();
    simulator.faults.trigger("slow", { ms: 40, path: "/v1/broadcast" });
    let answered = false;
    const call = callControl(simulator, "POST", "/v1/broadcast", { body: { text: "hi" } });
    void call.then(() => (answered = true));
    await new Promise<void>((resolve) => simulator.buffer.onAppend(resolve));
    expect(answered).toBe(false);
    expect((await call).status).toBe(200);
  });

  it("the fault hold runs a command at once and answers when it is released", async () => {
    const simulator = await start();
    simulator.faults.trigger("hold", { path: "/v1/broadcast" });
    let answered = false;
    const call = callControl(simulator, "POST", "/v1/broadcast", { body: { text: "hi" } });
    void call.then(() => (answered = true));
    await new Promise<void>((resolve) => simulator.buffer.onAppend(resolve));
    expect(
      (await callControl(simulator, "POST", "/v1/broadcast", { body: { text: "ho" } })).status,
    ).toBe(200);
    expect(answered).toBe(false);
    simulator.faults.trigger("release");
    expect((await call).status).toBe(200);
  });

  it("the fault cut breaks off a page in the middle", async () => {
    const simulator = await start();
    simulator.faults.trigger("cut", { path: "/v1/clilocs/entries" });
    await expect(callControl(simulator, "GET", "/v1/clilocs/entries")).rejects.toThrow(
      "terminated",
    );
    expect((await callControl(simulator, "GET", "/v1/clilocs/entries")).status).toBe(200);
  });

  it("the fault hang prevents any answer", async () => {
    const simulator = await start();
    simulator.faults.trigger("hang");
    const patience = new AbortController();
    const call = fetch(`${simulator.baseUrl}/v1/health`, { signal: patience.signal });
    const outcome = call.then(() => "answered", String);
    await waitUntil("the call has come", () => simulator.received.calls.length > 0);
    expect((await health(simulator)).status).toBe(200);
    patience.abort("given up");
    expect(await outcome).toBe("given up");
  });

  it("the fault oversize makes an answer larger than 32 MiB", async () => {
    const simulator = await start();
    simulator.faults.trigger("oversize");
    const response = await fetch(`${simulator.baseUrl}/v1/health`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    while (bytes <= 32 * 1024 * 1024) bytes += (await reader.read()).value?.length ?? 0;
    await reader.cancel();
    expect(bytes).toBeGreaterThan(32 * 1024 * 1024);
  });

  it.each(["hash", "bytes", "mime", "base64"])(
    "the fault badImage gives one image a wrong %s",
    async (form) => {
      const simulator = await start();
      const body = { keys: ["body:17"] };
      const image = async () => {
        const answer = await callControl(simulator, "POST", "/v1/assets/images", { body });
        return (answer.body as { images: Row[] }).images[0];
      };
      const sound = await image();
      simulator.faults.trigger("badImage", { form });
      const bad = await image();
      const field = { hash: "sha256", mime: "mime", bytes: "data", base64: "data" }[form] as string;
      expect({ ...bad, [field]: sound?.[field] }).toEqual(sound);
      expect(bad?.[field]).not.toBe(sound?.[field]);
      expect(await image()).toEqual(sound);
    },
  );

  it("the fault vanish closes the port and every connection, and later the simulator opens the same port", async () => {
    const simulator = await start();
    const client = await openStream(simulator);
    simulator.faults.trigger("vanish", { ms: 0 });
    expect(await client.closed).toBe(1006);
    await expect(health(simulator)).rejects.toThrow("fetch failed");
    await simulator.comeBack();
    expect((await health(simulator)).status).toBe(200);
    await openStream(simulator);
  });
});

describe("faults of a paged source", () => {
  it.each([
    ["clilocs", "/v1/clilocs", "/v1/clilocs/entries", "sha256"],
    ["assets", "/v1/assets", "/v1/assets/keys", "catalog"],
    ["atlas", "/v1/atlas", "/v1/atlas/records", "sha256"],
  ])(
    "the fault sourceChanged replaces the source %s after a number of pages",
    async (source, manifest, pages, hash) => {
      const simulator = await start();
      const before = (await read(simulator, manifest))[hash];
      simulator.faults.trigger("sourceChanged", { source, after: 2 });
      const seen = [
        (await read(simulator, `${pages}?limit=5`))[hash],
        (await read(simulator, `${pages}?limit=5`))[hash],
        (await read(simulator, `${pages}?limit=5`))[hash],
      ];
      expect(seen.slice(0, 2)).toEqual([before, before]);
      expect(seen[2]).not.toBe(before);
      expect((await read(simulator, manifest))[hash]).toBe(seen[2]);
    },
  );

  it("the fault stuckCursor repeats a cursor or sends empty pages without end", async () => {
    const simulator = await start();
    simulator.faults.trigger("stuckCursor", { source: "clilocs" });
    const first = await read(simulator, "/v1/clilocs/entries?limit=5");
    const second = await read(
      simulator,
      `/v1/clilocs/entries?limit=5&cursor=${String(first["next"])}`,
    );
    expect(second["next"]).toBe(first["next"]);
    simulator.faults.trigger("stuckCursor", { source: "atlas", form: "empty" });
    const cursors = new Set<unknown>();
    let cursor = "";
    for (let page = 0; page < 4; page++) {
      const body = await read(simulator, `/v1/atlas/records?limit=5${cursor}`);
      expect([body["regions"], body["spawners"]]).toEqual([[], []]);
      cursors.add(body["next"]);
      cursor = `&cursor=${String(body["next"])}`;
    }
    expect(cursors.size).toBe(4);
    expect(cursors.has(null)).toBe(false);
  });

  it("the faults wrongCounts, incomplete and hashing change only the manifest", async () => {
    const simulator = await start();
    simulator.faults.trigger("wrongCounts", { source: "clilocs", by: -3 });
    expect(await read(simulator, "/v1/clilocs")).toMatchObject({ entries: 157 });
    simulator.faults.trigger("incomplete", { source: "assets" });
    expect(await read(simulator, "/v1/assets")).toMatchObject({ complete: false });
    simulator.faults.trigger("hashing", { source: "atlas", after: 1 });
    expect(await read(simulator, "/v1/atlas")).toMatchObject({ hashing: false });
    expect(await read(simulator, "/v1/atlas")).toMatchObject({ hashing: true, sha256: null });
    simulator.faults.clear();
    expect(await read(simulator, "/v1/atlas")).toMatchObject({ hashing: false });
    expect(await read(simulator, "/v1/clilocs")).toMatchObject({ entries: 160 });
  });

  it("the fault badPage sends a malformed row", async () => {
    const simulator = await start();
    simulator.faults.trigger("badPage", { source: "clilocs" });
    const bad = await read(simulator, "/v1/clilocs/entries?limit=2");
    expect((bad["entries"] as unknown[])[0]).toEqual({ "": null });
    const sound = await read(simulator, "/v1/clilocs/entries?limit=2");
    expect((sound["entries"] as unknown[])[0]).toEqual([500_000, "First of all."]);
  });

  it("the faults noImaging and families simulate an older or a reduced plugin", async () => {
    const simulator = await start();
    const images = (keys: string[]) =>
      callControl(simulator, "POST", "/v1/assets/images", { body: { keys } });
    simulator.faults.trigger("noImaging");
    expect(await read(simulator, "/v1/assets")).toMatchObject({
      imaging: { ok: false, code: "NO_IMAGING", reason: "libgdiplus not found" },
    });
    expect(await images(["body:17"])).toEqual({
      status: 422,
      body: { code: "NO_IMAGING", reason: "libgdiplus not found" },
    });
    simulator.faults.clear();
    simulator.faults.trigger("families", { families: ["body"] });
    expect(await read(simulator, "/v1/assets")).toMatchObject({ families: ["body"] });
    expect((await images(["item:3922", "body:17"])).body).toMatchObject({
      unsupported: ["item:3922"],
      images: [{ key: "body:17" }],
    });
  });
});

describe("a request for a fault", () => {
  it("is accepted over HTTP and is recorded with all its options", async () => {
    const simulator = await start();
    const asked = await callSim(simulator, "POST", "/faults", { fault: "limit", times: 2 });
    expect(asked).toEqual({ status: 200, body: { triggered: 1 } });
    expect((await callSim(simulator, "GET", "/faults")).body).toEqual({
      triggered: [{ fault: "limit", times: 2 }],
    });
    expect((await callControl(simulator, "POST", "/v1/champions/x/stop")).status).toBe(429);
    expect((await callSim(simulator, "DELETE", "/faults")).status).toBe(200);
    expect((await callControl(simulator, "POST", "/v1/champions/x/stop")).status).toBe(404);
  });

  it.each([
    [{ fault: "flood" }, "fault must be one of drop, refuse,"],
    [{ fault: "constructor" }, "fault must be one of drop, refuse,"],
    [{ fault: "drop", speed: 1 }, "speed is no option of it: code, terminate"],
    [{ fault: "drop", code: "1001" }, "code must be as in 1012"],
    [{ fault: "refuse", status: 404 }, "status must be 401, 409 or 423"],
    [{ fault: "frame", form: "pretty" }, "form must be one of notJson,"],
    [{ fault: "tear", family: "weather" }, "family must be one of market,"],
    [{ fault: "incomplete", source: "maps" }, "source must be one of clilocs, assets, atlas"],
    [[], "fault must be one of"],
    [null, "must be an object"],
  ])("is rejected if it is %j", async (body, reason) => {
    const simulator = await start();
    expect(await callSim(simulator, "POST", "/faults", body)).toEqual({
      status: 400,
      body: { code: "INVALID", field: "fault", reason: expect.stringContaining(reason) },
    });
    expect(() => simulator.faults.request(body)).toThrow(FaultError);
  });

  it("is accepted in a script, which starts the fault after a number of events or a time", async () => {
    const simulator = await start({
      faults: [
        { fault: "skew", ms: 9, afterEvents: 3 },
        { fault: "writesDisabled", afterMs: 1 },
      ],
    });
    emitBroadcasts(simulator, 3);
    while (simulator.faults.triggered.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(simulator.faults.triggered).toEqual(
      expect.arrayContaining([
        { fault: "skew", ms: 9 },
        { fault: "writesDisabled", on: true },
      ]),
    );
  });
});
