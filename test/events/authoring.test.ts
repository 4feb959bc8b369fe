import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { activityOf } from "../support/factories/site.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { championEvening, buildOneStepSpec } from "./specs.ts";

let server: TestServer;
/** A second process of the same service. */
let other: TestServer;
let admin: SignedIn;
let editor: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database });
  admin = await signIn(server, { role: "admin" });
  editor = await signIn(server, { role: "editor" });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const as = (route: string, body?: object, who = admin, at = server): Promise<ApiAnswer> =>
  callRoute(at, route, { headers: who.headers, ...(body && { body }) });
const anyId = expect.any(Number);
const fault = (path: string, code: string) => ({ path, code, message: expect.any(String) });

let count = 0;
const newTitle = () => `Evening ${++count}`;

interface Made {
  readonly id: number;
  readonly slug: string;
}

async function made(body: object = {}): Promise<Made> {
  const answered = await as("POST /admin/events", {
    title: newTitle(),
    spec: championEvening,
    ...body,
  });
  if (answered.status !== 201) throw new Error(answered.text);
  return (answered.body as { event: Made }).event;
}

const completed = {
  ...championEvening,
  phases: [
    {
      ...championEvening.phases[0],
      steps: [{ ...championEvening.phases[0].steps[0], budgetMs: 60_000 }],
    },
    {
      ...championEvening.phases[1],
      steps: [
        {
          key: "spawn",
          actionId: "shard.champion.start",
          params: { id: "0x40001A2B" },
          confirm: true,
          offsetSeconds: 0,
          onFailure: "pause",
          maxAttempts: 5,
          budgetMs: 60_000,
        },
      ],
      advance: { ...championEvening.phases[1].advance, onTimeout: "pause" },
    },
  ],
};

const lines = (targetType: string, id: number | string) =>
  activityOf(server, { targetType, targetId: String(id) }, ["action", "actorId", "detail"]);

describe("POST /admin/events", () => {
  it("creates a draft with all defaults", async () => {
    const title = newTitle();
    const answered = await as("POST /admin/events", { title, spec: championEvening }, editor);
    const event = {
      id: anyId,
      title,
      slug: title.toLowerCase().replace(" ", "-"),
      summary: "",
      body: "",
      imageUrl: null,
      ownerModule: "core",
      state: "draft",
      currentVersionId: null,
      currentVersion: null,
      currentVersionVerifiedAt: null,
      currentVersionRevision: null,
      revision: 1,
      seriesId: null,
      seriesName: null,
      seriesOrder: 0,
      concurrencyKey: null,
      graceSeconds: 900,
      timezone: "UTC",
      spec: completed,
      createdAt: anyTime,
      updatedAt: anyTime,
    };
    expect(statusAndBodyOf(answered)).toEqual([201, { event }]);
    const { id } = (answered.body as { event: Made }).event;
    expect(statusAndBodyOf(await as(`GET /admin/events/${id}`))).toEqual([200, answered.body]);
    expect(await lines("event", id)).toEqual([
      { action: "event.definition.created", actorId: editor.userId, detail: {} },
    ]);
  });

  it("reports all errors at once, in the fields and in the spec", async () => {
    const spec = buildOneStepSpec({ actionId: "shard.explode" }, { listed: 1, colour: "red" });
    const body = {
      title: " ",
      slug: "No Slug",
      imageUrl: "ftp://x",
      timezone: "europe/berlin",
      spec,
    };
    const answered = await as("POST /admin/events", { ...body, graceSeconds: -1, summary: 7 });
    expect(statusAndBodyOf(answered)).toEqual([
      400,
      {
        errors: [
          fault("/title", "required"),
          fault("/slug", "format"),
          fault("/summary", "type"),
          fault("/imageUrl", "format"),
          fault("/graceSeconds", "range"),
          fault("/timezone", "unknown"),
          fault("/spec/listed", "type"),
          fault("/spec/colour", "unknown"),
          fault("/spec/phases/0/steps/0/actionId", "unknown"),
        ],
      },
    ]);
    expect(statusAndBodyOf(await as("POST /admin/events", {}))).toEqual([
      400,
      { errors: [fault("/title", "required"), fault("/spec", "required")] },
    ]);
    const nul = await as("POST /admin/events", { title: "a\0b", spec: championEvening });
    expect(statusAndBodyOf(nul)).toEqual([400, { errors: [fault("/title", "format")] }]);
  });

  it("rejects a body that is not an object, too large or too deeply nested", async () => {
    const raw = (body: string) =>
      callRoute(server, "POST /admin/events", { headers: admin.headers, body });
    expect(statusAndBodyOf(await raw("[]"))).toEqual([
      400,
      { error: "The body must be a JSON object" },
    ]);
    expect(statusAndBodyOf(await raw("{"))).toEqual([400, { error: "Invalid JSON" }]);
    const deep = `{"title":"x","spec":${"[".repeat(40)}${"]".repeat(40)}}`;
    expect((await raw(deep)).status).toBe(400);
    const large = await as("POST /admin/events", { title: "x", body: "y".repeat(300_000) });
    expect(statusAndBodyOf(large)).toEqual([413, { error: "Request body is too large" }]);
  });

  it("answers 403 to a moderator and 401 without a session", async () => {
    const moderator = await signIn(server, { role: "moderator" });
    const refused = [403, { error: "Admin or editor role required" }];
    expect(statusAndBodyOf(await as("POST /admin/events", {}, moderator))).toEqual(refused);
    expect((await callRoute(server, "POST /admin/events", { body: {} })).status).toBe(401);
  });

  it("gives thirty simultaneous events with one title a separate slug each, on two processes", async () => {
    const ask = (at: number) =>
      as(
        "POST /admin/events",
        { title: "Same!", spec: championEvening },
        admin,
        at % 2 ? server : other,
      );
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const slugs = answers.map(({ body }) => (body as { event: Made }).event.slug);
    const expected = ["same", ...Array.from({ length: 29 }, (_, at) => `same-${at + 2}`)];
    expect(slugs.toSorted()).toEqual(expected.toSorted());
  });

  it("answers 409 to a taken slug", async () => {
    const { slug, id } = await made();
    const taken = [409, { errors: [{ path: "/slug", code: "taken", message: "slug is taken" }] }];
    const body = { title: "Other", slug, spec: championEvening };
    expect(statusAndBodyOf(await as("POST /admin/events", body))).toEqual(taken);
    const second = await made();
    expect(statusAndBodyOf(await as(`PUT /admin/events/${second.id}`, { slug }))).toEqual(taken);
    expect((await as(`PUT /admin/events/${id}`, { slug })).status).toBe(200);
    const nameless = await made({ title: "!!!" });
    expect(nameless.slug).toBe("event");
  });
});

describe("PUT /admin/events/:id", () => {
  it("changes the given fields, and clears the nullable fields that are null", async () => {
    const { id } = await made({ concurrencyKey: "yard", summary: "Old" });
    const answered = await as(
      `PUT /admin/events/${id}`,
      { summary: "New", concurrencyKey: null },
      editor,
    );
    const { event } = answered.body as { event: object };
    expect(answered.status).toBe(200);
    expect(event).toMatchObject({ summary: "New", concurrencyKey: null, spec: completed });
    expect(await lines("event", id)).toContainEqual({
      action: "event.definition.updated",
      actorId: editor.userId,
      detail: { fields: ["summary", "concurrencyKey"] },
    });
    expect(
      statusAndBodyOf(await as(`PUT /admin/events/${id}`, { title: null, graceSeconds: null })),
    ).toEqual([400, { errors: [fault("/title", "type"), fault("/graceSeconds", "type")] }]);
    expect(statusAndBodyOf(await as(`PUT /admin/events/${id}`, { seriesId: 999_999 }))).toEqual([
      400,
      { errors: [{ path: "/seriesId", code: "unknown", message: "seriesId names no series" }] },
    ]);
  });

  it("answers 400 to a malformed id and 404 to an unknown one, before it checks the body", async () => {
    for (const id of ["0", "x", "01", "-1", "2147483648", "1e3", "%31%00"]) {
      expect((await as(`PUT /admin/events/${id}`, {})).status).toBe(400);
    }
    expect(statusAndBodyOf(await as("PUT /admin/events/2147483647", { title: 5 }))).toEqual([
      404,
      { error: "Unknown event" },
    ]);
  });
});

describe("GET /admin/events", () => {
  it("lists the events of a state, the last changed first", async () => {
    const [first, second] = [await made(), await made()];
    await as(`PUT /admin/events/${first.id}`, { summary: "Later" });
    const { events } = (await as("GET /admin/events?state=draft")).body as { events: Made[] };
    expect(events.slice(0, 2).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(statusAndBodyOf(await as("GET /admin/events?state=gone"))).toEqual([
      400,
      { errors: [fault("/state", "unknown")] },
    ]);
  });
});

describe("event series", () => {
  const listed = async () =>
    ((await as("GET /admin/events/series")).body as { series: Made[] }).series;

  it("are created, changed, listed in order, and deleted without their events", async () => {
    const answered = await as("POST /admin/events/series", { name: "Winter", ordering: 2 }, editor);
    const winter = {
      id: anyId,
      name: "Winter",
      slug: "winter",
      description: "",
      ordering: 2,
      definitionCount: 0,
    };
    expect(statusAndBodyOf(answered)).toEqual([201, { series: winter }]);
    const { id } = (answered.body as { series: Made }).series;
    const second = await as("POST /admin/events/series", { name: "Winter", ordering: 1 });
    const { id: spring } = (second.body as { series: Made }).series;
    const { id: event } = await made({ seriesId: id });
    expect((await listed()).map((one) => [one.id, one.slug])).toEqual([
      [spring, "winter-2"],
      [id, "winter"],
    ]);
    const changed = await as(`PUT /admin/events/series/${id}`, { name: "Frost" });
    expect(statusAndBodyOf(changed)).toEqual([
      200,
      { series: { ...winter, name: "Frost", definitionCount: 1 } },
    ]);
    expect((await as(`GET /admin/events/${event}`)).body).toMatchObject({
      event: { seriesId: id, seriesName: "Frost" },
    });
    const taken = await as(`PUT /admin/events/series/${id}`, { slug: "winter-2" });
    expect(statusAndBodyOf(taken)).toEqual([409, { errors: [fault("/slug", "taken")] }]);
    expect(statusAndBodyOf(await as(`DELETE /admin/events/series/${id}`))).toEqual([
      200,
      { ok: true, detached: 1 },
    ]);
    expect(statusAndBodyOf(await as(`DELETE /admin/events/series/${id}`))).toEqual([
      404,
      { error: "Unknown series" },
    ]);
    expect((await as(`GET /admin/events/${event}`)).body).toMatchObject({
      event: { seriesId: null, seriesName: null },
    });
    expect(await lines("series", id)).toEqual([
      { action: "event.series.created", actorId: editor.userId, detail: {} },
      { action: "event.series.updated", actorId: admin.userId, detail: { fields: ["name"] } },
      {
        action: "event.series.deleted",
        actorId: admin.userId,
        detail: { slug: "winter", detached: 1 },
      },
    ]);
    await as(`DELETE /admin/events/series/${spring}`);
  });

  it("are rejected with all errors, but an unknown series is answered 404 first", async () => {
    expect(statusAndBodyOf(await as("POST /admin/events/series", { ordering: 1.5 }))).toEqual([
      400,
      { errors: [fault("/name", "required"), fault("/ordering", "type")] },
    ]);
    expect((await as("PUT /admin/events/series/999999", { name: 5 })).status).toBe(404);
    expect((await as("PUT /admin/events/series/0", { name: 5 })).status).toBe(400);
  });

  it("can be deleted while events are added to them", async () => {
    const { series } = (await as("POST /admin/events/series", { name: "Brief" })).body as {
      series: Made;
    };
    const events = await Promise.all(
      Array.from({ length: 6 }, () => made({ seriesId: series.id })),
    );
    const [deleted, ...changes] = await Promise.all([
      as(`DELETE /admin/events/series/${series.id}`),
      ...events.map(({ id }, at) =>
        as(`PUT /admin/events/${id}`, { seriesId: series.id }, admin, at % 2 ? server : other),
      ),
    ]);
    expect(deleted?.status).toBe(200);
    expect(changes.every(({ status }) => status === 200 || status === 400)).toBe(true);
  });
});

describe("a step that uses a text of the catalog", () => {
  const announce = (params: object) => ({
    key: "call",
    actionId: "survival.announce",
    params: { server: "all", ...params },
  });
  const behind = (trigger: string, step: object) => ({
    phases: [
      { key: "wait", title: "Wait", steps: [], advance: { kind: "trigger", trigger } },
      { key: "say", title: "Say", steps: [step] },
    ],
  });
  const leader = "{{serverName}}: {{news}}";
  const saidBy = async (step: object): Promise<unknown> => {
    const { id } = await made({ spec: behind("survival.leader.kills", step) });
    const { body } = await as(`GET /admin/events/${id}`);
    const { event } = body as {
      event: { spec: { phases: { steps: { params: object }[] }[] } };
    };
    return event.spec.phases[1]?.steps[0]?.params;
  };

  it("gets that text as its message if the step has no message of its own", async () => {
    const body = "survival.body.leader";
    const params = { server: "all", body };
    expect(await saidBy(announce({ body }))).toEqual({ ...params, message: leader });
    expect(await saidBy(announce({ body, message: "Hear!" }))).toEqual({
      ...params,
      message: "Hear!",
    });
  });

  it("is accepted after a gate on any trigger for which the text is intended", async () => {
    const { body } = await as("GET /admin/events/catalog", undefined, editor);
    const { bodies } = body as { bodies: { id: string; triggers: string[] }[] };
    const pairs = bodies.flatMap(({ id, triggers }) => triggers.map((one) => [id, one] as const));
    expect(pairs).toHaveLength(9);
    for (const [id, trigger] of pairs) {
      const spec = behind(trigger, announce({ body: id }));
      const { status } = await as("POST /admin/events", { title: newTitle(), spec });
      expect([id, trigger, status]).toEqual([id, trigger, 201]);
    }
  });

  it("is rejected if the text uses an unknown variable, and if the step has no text at all", async () => {
    const faultsOf = async (step: object, trigger: string) => {
      const spec = behind(trigger, step);
      return statusAndBodyOf(await as("POST /admin/events", { title: newTitle(), spec }));
    };
    const at = (name: string) => `/spec/phases/1/steps/0/params/${name}`;
    const coming = announce({ body: "survival.body.server" });
    expect(await faultsOf(coming, "survival.server.online")).toMatchObject([201, {}]);
    expect(await faultsOf(coming, "champ.end")).toEqual([
      400,
      // `champ.end` has none of the three variables of the text: the server's name, state and
      // address.
      { errors: Array.from({ length: 3 }, () => fault(at("message"), "template")) },
    ]);
    expect(await faultsOf(announce({}), "champ.end")).toEqual([
      400,
      { errors: [fault(at("message"), "required")] },
    ]);
    for (const message of [0, false, []]) {
      const odd = announce({ body: "survival.body.server", message });
      expect(await faultsOf(odd, "survival.server.online")).toEqual([
        400,
        { errors: [fault(at("message"), "type")] },
      ]);
    }
    expect(await faultsOf(announce({ body: "site.body" }), "champ.end")).toEqual([
      400,
      { errors: [fault(at("message"), "required"), fault(at("body"), "unknown")] },
    ]);
  });
});

describe("GET /admin/events/catalog", () => {
  it("lists the words of event specs, the actions and the triggers", async () => {
    const answered = await as("GET /admin/events/catalog", undefined, editor);
    const { actions, triggers, audiences, bodies, ...words } = answered.body as Record<
      string,
      { id: string }[]
    >;
    expect(words).toEqual({
      risks: ["inspect", "notify", "world", "destructive"],
      reversible: ["shard.towncrier.add", "shard.champion.start", "survival.zone.open"],
      paramTypes: [
        "string",
        "text",
        "integer",
        "number",
        "boolean",
        "duration",
        "datetime",
        "enum",
        "serial",
        "location",
        "server",
        "stream",
      ],
      onFailure: ["continue", "pause", "abort", "park"],
      onFailureByRisk: {
        inspect: "continue",
        notify: "continue",
        world: "pause",
        destructive: "pause",
      },
      scheduleKinds: ["manual", "once", "recurring"],
      operators: ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "exists"],
      advanceKinds: ["steps", "after", "trigger", "manual"],
      limits: {
        maxPhases: 20,
        maxStepsPerPhase: 25,
        maxSteps: 200,
        defaultBudgetMs: 60_000,
        maxAdvanceCount: 1_000,
        maxAfterSeconds: 604_800,
      },
    });
    expect(actions?.map(({ id }) => id)).toEqual([
      "core.wait",
      "core.confirm",
      "site.push",
      "site.post",
      "shard.status",
      "shard.broadcast",
      "shard.towncrier.add",
      "shard.towncrier.remove",
      "shard.champion.start",
      "shard.champion.stop",
      "survival.announce",
      "survival.zone.open",
      "survival.zone.close",
      "survival.npc.spawn",
      "survival.participation.open",
      "survival.participation.collect",
      "survival.kit.entitle",
    ]);
    expect(actions?.[5]).toEqual({
      id: "shard.broadcast",
      label: "Broadcast to everyone in the game",
      owner: "shard",
      risk: "notify",
      reversible: false,
      params: [
        {
          name: "text",
          type: "string",
          required: true,
          maxLength: 256,
          description: "The text that all players read.",
        },
        {
          name: "hue",
          type: "integer",
          required: false,
          min: 0,
          max: 3_000,
          description: "The color of the text, as a hue number of the game.",
        },
      ],
      dimensions: ["broadcasts"],
      version: 1,
    });
    expect(triggers?.map(({ id }) => id)).toEqual([
      "champ.start",
      "champ.boss",
      "champ.end",
      "governor.election",
      "governor.result",
      "house.decay",
      "creature.kill",
      "drop.artifact",
      "drop.scroll",
      "server.started",
      "world.broadcast",
      "survival.server.online",
      "survival.server.offline",
      "survival.server.wiped",
      "survival.wipe.upcoming",
      "survival.leader.kills",
      "survival.npc.died",
      "survival.npc.health",
      "survival.player.died",
      "survival.permission.changed",
      "survival.kit.entitled",
      "survival.plugin.unloaded",
      "survival.config.outcome",
      "survival.player.reported",
      "survival.world.expired",
      "event.started",
      "event.phase.started",
      "event.completed",
    ]);
    const known = (name: string, type: string, description: string, required = false) => ({
      name,
      type,
      required,
      description,
    });
    expect(triggers?.[2]).toEqual({
      id: "champ.end",
      version: 1,
      label: "A champion spawn ends",
      description: "The champion is defeated, or the spawn expires or is stopped.",
      owner: "shard",
      variables: [
        known("id", "serial", "The serial of the altar.", true),
        known("name", "string", "The name of the spawn."),
        known("type", "string", "The kind of champion spawn."),
        known("map", "string", "The facet (world map)."),
        {
          ...known("outcome", "enum", "How the spawn ended.", true),
          values: ["defeated", "expired", "stopped"],
        },
        known("durationSec", "integer", "How many seconds the spawn lasted."),
      ],
    });
    expect(audiences?.map(({ id }) => id)).toEqual([
      "survival.linked",
      "survival.online",
      "survival.participants",
    ]);
    expect(bodies?.map(({ id }) => id)).toEqual([
      "survival.body.server",
      "survival.body.wipe",
      "survival.body.leader",
      "survival.body.reward",
    ]);
    const ofShard = triggers?.filter(({ id }) => !id.startsWith("survival."));
    expect(JSON.stringify(ofShard).match(/acct|account|webId/gi)).toBeNull();
  });
});

describe("the settings of event actions", () => {
  const put = (body: object, who = admin) => as("PUT /admin/events/actions", body, who);
  const read = async () =>
    (await as("GET /admin/events/actions")).body as {
      actions: { id: string; enabled: boolean }[];
      worldChangingRisks: string[];
    };

  it("have actions that change the world off, and the others on, by default", async () => {
    const { actions, worldChangingRisks } = await read();
    expect(worldChangingRisks).toEqual(["world", "destructive"]);
    expect(actions.filter(({ enabled }) => !enabled).map(({ id }) => id)).toEqual([
      "shard.champion.start",
      "shard.champion.stop",
      "survival.zone.open",
      "survival.zone.close",
      "survival.npc.spawn",
      "survival.kit.entitle",
    ]);
    expect(actions[7]).toEqual({
      id: "shard.towncrier.remove",
      label: "Remove a message of the town crier",
      owner: "shard",
      risk: "notify",
      reversible: false,
      params: [expect.objectContaining({ name: "step", type: "string", required: true })],
      dimensions: ["broadcasts"],
      version: 1,
      enabled: true,
      configured: false,
      changesWorld: false,
      caps: {},
      updatedAt: null,
      updatedBy: null,
    });
  });

  it("are changed by administrators, where a change without caps keeps the stored caps and a change with caps replaces all of them", async () => {
    const id = "shard.champion.start";
    const action = (enabled: boolean, caps: object) => [
      200,
      { action: { id, enabled, configured: true, caps, updatedAt: anyTime } },
    ];
    expect(
      statusAndBodyOf(await put({ actionId: id, enabled: true, caps: { champions: 3 } })),
    ).toEqual(action(true, { champions: 3 }));
    expect(statusAndBodyOf(await put({ actionId: id, enabled: false }))).toEqual(
      action(false, { champions: 3 }),
    );
    expect(
      statusAndBodyOf(await put({ actionId: id, enabled: true, caps: { champions: null } })),
    ).toEqual(action(true, {}));
    expect(
      statusAndBodyOf(await put({ actionId: id, enabled: true, caps: { champions: "" } })),
    ).toEqual(action(true, {}));
    expect(statusAndBodyOf(await put({ actionId: id, enabled: false, caps: {} }))).toEqual(
      action(false, {}),
    );
    const { actions } = await read();
    expect(actions.find((one) => one.id === id)).toMatchObject({
      configured: true,
      updatedBy: admin.userId,
    });
    expect(await lines("action", id)).toContainEqual({
      action: "event.action.configured",
      actorId: admin.userId,
      detail: { enabled: true, caps: { champions: 3 } },
    });
    expect(statusAndBodyOf(await put({}, editor))).toEqual([403, { error: "Admin role required" }]);
  });

  it("are refused if they are invalid, but an unknown action is answered 404 first", async () => {
    expect(statusAndBodyOf(await put({ actionId: "shard.explode", enabled: "yes" }))).toEqual([
      404,
      { error: "Unknown action" },
    ]);
    const caps = { pushes: 1, broadcasts: -1 };
    expect(
      statusAndBodyOf(await put({ actionId: "shard.broadcast", enabled: "yes", caps })),
    ).toEqual([
      400,
      {
        errors: [
          fault("/enabled", "type"),
          fault("/caps/broadcasts", "range"),
          fault("/caps/pushes", "unknown"),
        ],
      },
    ]);
    for (const cap of [1.5, "3", 2 ** 31, {}, true]) {
      const answered = await put({
        actionId: "shard.broadcast",
        enabled: true,
        caps: { broadcasts: cap },
      });
      expect([answered.status, cap]).toEqual([400, cap]);
    }
    expect(statusAndBodyOf(await put({ enabled: true }))).toEqual([
      400,
      { errors: [fault("/actionId", "required")] },
    ]);
  });
});
