import { afterEach, describe, expect, it } from "vitest";

import { callControl, callSim, buildInvalidAnswer, buildOkAnswer, refused } from "./client.ts";
import type { SimulatorAnswer } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { noon, eventsSince, createSimulatorPool } from "./starting.ts";
import type { Character } from "./world/people.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

type Row = Readonly<Record<string, unknown>>;

/** Returns the audit event of a command of the site. */
const webAudit = (command: string, args: string, target: string | null): unknown[] => [
  "admin.audit",
  {
    actor: { serial: "0x00000002", name: "mod", acct: "web", access: "moderator" },
    command,
    args,
    target,
    location: expect.objectContaining({ map: "Trammel" }),
  },
];

const online = ({ world }: Simulator): Character => world.online.values()[0] as Character;

const call = (simulator: Simulator, path: string, body: unknown): Promise<SimulatorAnswer> =>
  callControl(simulator, "POST", path, { body });

/**
 * Starts a simulator and simulates until a help page is open.
 * @returns the simulator and the page's id
 */
async function openPage(): Promise<[Simulator, string]> {
  const simulator = await start({ mix: { help: 50 } });
  while (simulator.world.pages.size === 0) simulator.happen(1);
  return [simulator, simulator.world.pages.keys()[0] as string];
}

describe("POST /v1/kick, /v1/ban and /v1/unban", () => {
  it("kick a character from the game", async () => {
    const simulator = await start();
    const { serial, account } = online(simulator);
    const from = simulator.buffer.head;
    expect(await call(simulator, "/v1/kick", { serial })).toEqual(
      buildOkAnswer({ ok: true, account: account.name, kicked: 1 }),
    );
    expect(simulator.world.online.has(serial)).toBe(false);
    expect(eventsSince(simulator, from)).toEqual([
      ["presence.logout", expect.objectContaining({ serial, reason: "kicked" })],
      webAudit("kick", "", account.name),
    ]);
  });

  it("ban for a time or permanently, report the ban in events, and lift it", async () => {
    const simulator = await start();
    const { account } = online(simulator);
    const from = simulator.buffer.head;
    const ban = { account: account.name, durationSec: 60, reason: "scripting" };
    const until = noon + 60_000;
    expect(await call(simulator, "/v1/ban", ban)).toEqual(
      buildOkAnswer({ ok: true, account: account.name, until }),
    );
    expect(account.ban).toEqual({ until, reason: "scripting" });
    expect(eventsSince(simulator, from).slice(1)).toEqual([
      webAudit("ban", "60 scripting", account.name),
      ["account.audit", { acct: account.name, action: "banned", by: "mod", detail: "scripting" }],
    ]);
    expect((await call(simulator, "/v1/ban", { account: account.name })).body).toMatchObject({
      until: null,
    });
    expect(await call(simulator, "/v1/unban", { account: account.name })).toEqual(
      buildOkAnswer({ ok: true, account: account.name, wasBanned: true }),
    );
    expect(account.ban).toBeNull();
  });

  it.each(["/v1/kick", "/v1/ban"])(
    "%s refuses staff, unknown accounts and an account without the named character",
    async (path) => {
      const simulator = await start();
      const staff = simulator.world.accounts.get("gm_aldor")?.characters[0]?.serial;
      const other = online(simulator).serial;
      expect(await call(simulator, path, { account: "gm_aldor" })).toEqual(
        refused(403, "PROTECTED"),
      );
      expect(await call(simulator, path, { serial: staff })).toEqual(refused(403, "PROTECTED"));
      expect(await call(simulator, path, { account: "nobody" })).toEqual(refused(404, "NOT_FOUND"));
      expect((await call(simulator, path, { account: "maple", serial: other })).status).toBe(404);
      expect(await call(simulator, path, {})).toEqual(
        buildInvalidAnswer("account", "or serial is required"),
      );
    },
  );

  it("reject a ban whose duration is not a positive whole number", async () => {
    const simulator = await start();
    const ban = (durationSec: unknown) =>
      call(simulator, "/v1/ban", { account: "maple", durationSec });
    expect((await ban(-1)).body).toMatchObject({ code: "INVALID", field: "durationSec" });
    expect((await ban(1.5)).body).toMatchObject({ code: "INVALID", field: "durationSec" });
  });
});

describe("messages to everyone", () => {
  it("are broadcast and audited, and rejected if malformed", async () => {
    const simulator = await start();
    const from = simulator.buffer.head;
    const body = { text: "The fair opens!", hue: 1154 };
    expect(await callControl(simulator, "POST", "/v1/broadcast", { body })).toEqual(
      buildOkAnswer({ ok: true, recipients: simulator.world.online.size }),
    );
    expect(eventsSince(simulator, from)).toEqual([
      ["world.broadcast", { ...body, access: "Player" }],
      webAudit("broadcast", "The fair opens!", null),
    ]);
    for (const wrong of [{}, { text: "" }, { text: "x".repeat(257) }, { text: "x", hue: 3_001 }]) {
      const answer = await callControl(simulator, "POST", "/v1/broadcast", { body: wrong });
      expect(answer.status).toBe(400);
    }
  });

  it("can be added to the town crier, listed and removed", async () => {
    const simulator = await start();
    const body = { lines: ["Hear ye!", "Hear ye!"], durationSec: 120 };
    const added = await callControl(simulator, "POST", "/v1/towncrier", { body });
    const entry = { id: expect.any(String), lines: body.lines, expiresAt: noon + 120_000 };
    expect(added).toEqual(buildOkAnswer(entry));
    expect(await callControl(simulator, "GET", "/v1/towncrier")).toEqual(
      buildOkAnswer({ entries: [entry] }),
    );
    const { id } = added.body as { id: string };
    const path = `/v1/towncrier/${id}`;
    expect(await callControl(simulator, "DELETE", path)).toEqual(
      buildOkAnswer({ id, removed: true }),
    );
    expect(await callControl(simulator, "DELETE", path)).toEqual(refused(404, "NOT_FOUND"));
    expect(simulator.buffer.log.slice(-2).map(({ kind }) => kind)).toEqual([
      "towncrier.added",
      "towncrier.removed",
    ]);
  });

  it.each([
    [{ lines: [], durationSec: 60 }, "lines"],
    [{ lines: Array.from({ length: 9 }, () => "x"), durationSec: 60 }, "lines"],
    [{ lines: [""], durationSec: 60 }, "lines"],
    [{ lines: ["x".repeat(129)], durationSec: 60 }, "lines"],
    [{ lines: "x", durationSec: 60 }, "lines"],
    [{ lines: ["x"], durationSec: 59 }, "durationSec"],
    [{ lines: ["x"], durationSec: 31_536_001 }, "durationSec"],
    [{ lines: ["x"] }, "durationSec"],
  ])(
    "are rejected as INVALID if the town crier entry exceeds the limits (%j)",
    async (body, field) => {
      const simulator = await start();
      const answer = await callControl(simulator, "POST", "/v1/towncrier", { body });
      expect(answer).toMatchObject({ status: 400, body: { code: "INVALID", field } });
    },
  );
});

describe("help pages", () => {
  it("can be listed, answered and closed", async () => {
    const [simulator, id] = await openPage();
    const sender = simulator.world.pages.get(id)?.sender;
    const body = { message: "On my way" };
    const answer = await callControl(simulator, "POST", `/v1/pages/${id}/respond`, { body });
    expect(answer).toEqual(buildOkAnswer({ ok: true, id }));
    const { pages } = (await callControl(simulator, "GET", "/v1/pages")).body as { pages: Row[] };
    expect(pages.find((page) => page["id"] === id)).toEqual({
      id,
      type: expect.any(String),
      sender: { serial: sender?.serial, name: sender?.name },
      message: expect.any(String),
      location: expect.objectContaining({ map: expect.any(String) }),
      sentAt: noon,
      handler: "mod",
      responses: expect.arrayContaining([{ by: "mod", message: "On my way", at: noon }]),
    });
    expect(await callControl(simulator, "POST", `/v1/pages/${id}/close`)).toEqual(
      buildOkAnswer({ ok: true, id }),
    );
    expect(simulator.buffer.log.at(-1)).toMatchObject({
      kind: "page.close",
      payload: { id, resolution: "Handled", sender: { acct: sender?.account.name } },
    });
    expect(await callControl(simulator, "POST", `/v1/pages/${id}/close`)).toEqual(
      refused(404, "NOT_FOUND"),
    );
  });

  it("can be answered and closed in one call", async () => {
    const [simulator, id] = await openPage();
    const body = { message: "Done", close: true };
    await callControl(simulator, "POST", `/v1/pages/${id}/respond`, { body });
    expect(simulator.world.pages.has(id)).toBe(false);
    expect(simulator.buffer.log.slice(-2).map(({ kind }) => kind)).toEqual([
      "page.update",
      "page.close",
    ]);
  });
});

describe("champions", () => {
  it("can be started and stopped at their altar, also repeatedly", async () => {
    const simulator = await start();
    const [altar] = simulator.world.champions.values();
    const act = (what: string) =>
      callControl(simulator, "POST", `/v1/champions/${altar?.id}/${what}`);
    const from = simulator.buffer.head;
    expect(await act("start")).toEqual(buildOkAnswer({ ok: true, id: altar?.id }));
    expect(await act("start")).toEqual(buildOkAnswer({ ok: true, id: altar?.id }));
    expect(await act("stop")).toEqual(buildOkAnswer({ ok: true, id: altar?.id }));
    expect(eventsSince(simulator, from)).toEqual([
      ["champ.start", expect.objectContaining({ id: altar?.id, name: "Despise" })],
      ["champ.end", expect.objectContaining({ id: altar?.id, outcome: "stopped", damagers: [] })],
    ]);
    expect((await callControl(simulator, "POST", "/v1/champions/x/stop")).status).toBe(404);
  });

  it("can be set to any state by a test", async () => {
    const simulator = await start();
    const [altar] = simulator.world.champions.values();
    const bring = (to: string, id = altar?.id) =>
      callSim(simulator, "POST", "/champions", { id, to });
    const from = simulator.buffer.head;
    expect(await bring("active")).toEqual(buildOkAnswer({ id: altar?.id, state: "active" }));
    expect(await bring("boss")).toEqual(buildOkAnswer({ id: altar?.id, state: "boss" }));
    expect(await bring("defeated")).toEqual(buildOkAnswer({ id: altar?.id, state: "idle" }));
    expect(await bring("expired")).toEqual(buildOkAnswer({ id: altar?.id, state: "idle" }));
    expect(
      eventsSince(simulator, from).map(([kind, payload]) => [kind, outcomeOf(payload)]),
    ).toEqual([
      ["champ.start", undefined],
      ["champ.boss", undefined],
      ["champ.end", "defeated"],
      ["champ.start", undefined],
      ["champ.end", "expired"],
    ]);
    expect((await bring("defeated", "x")).status).toBe(404);
    expect((await bring("asleep")).body).toMatchObject({ code: "INVALID", field: "to" });
    simulator.faults.trigger("away");
    expect((await bring("boss")).status).toBe(503);
  });
});

const outcomeOf = (payload: unknown): unknown => (payload as { outcome?: unknown }).outcome;
