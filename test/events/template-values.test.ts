import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { emitTriggers } from "../../shared/facts/emit-triggers.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { callRoute } from "../support/http/call.ts";
import { buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
  await stage.enable("shard.champion.start", true);
});
afterAll(() => stage.stop());

/** Values that a careless implementation may read as templates, markup, JSON or paths. */
const tricky = [
  "{{secret}}",
  "{{ text }}",
  "{{{{secret}}}}",
  "$& $1 ${secret}",
  "<script>alert(1)</script>",
  '"}, "text": "other',
  "../../v1/champions/0x1/start",
  "%2e%2e%2fadmin?x=1#y",
  "__proto__",
  "'; drop table event_runs; --",
];

const params = (...names: string[]) => names.map((name) => ({ name, type: "text" }));
const textsOf = (runId: number) =>
  stage
    .read(runId)
    .then(({ steps }) => steps.flatMap((step) => stage.commandsOf(step)))
    .then((sent) => sent.map(({ path, body }) => [path, (body as { text: string }).text]));

describe("a template value", () => {
  it.each(tricky)("is inserted unchanged and never read as a template: %s", async (text) => {
    const phases = [
      {
        key: "one",
        title: "One",
        steps: [
          { key: "within", ...buildBroadcastStep("<{{text}}> and {{secret}}") },
          { key: "alone", ...buildBroadcastStep("{{text}}") },
        ],
      },
    ];
    const spec = { params: params("text", "secret"), phases };
    const eventId = await stage.publishEvent([], { spec });
    const runId = await stage.startEvent(eventId, { params: { text, secret: "hidden" } });
    await stage.runDueSteps();
    expect((await stage.read(runId)).run).toMatchObject({ status: "completed", health: "ok" });
    expect(await textsOf(runId)).toEqual([
      ["/v1/broadcast", `<${text}> and hidden`],
      ["/v1/broadcast", text],
    ]);
  });

  it("is not read as a template if it comes from a game event", async () => {
    const { context } = stage.shard.server;
    const advance = { kind: "trigger", trigger: "champ.end" };
    const phases = [
      { key: "wait", title: "Wait", steps: [], advance },
      {
        key: "say",
        title: "Say",
        steps: [{ key: "s", ...buildBroadcastStep("{{name}} fell, {{secret}}") }],
      },
    ];
    const spec = { params: params("secret"), phases };
    for (const [at, name] of tricky.entries()) {
      const eventId = await stage.publishEvent([], { spec });
      const runId = await stage.startEvent(eventId, { params: { secret: "hidden" } });
      const variables = { id: "0x40000001", outcome: "defeated", name };
      const told = { trigger: "champ.end", eventKey: `told ${at}`, t: Date.now(), variables };
      await inTransaction(context.sequelize, (within) =>
        emitTriggers([told], { source: "shard", within, context }),
      );
      await stage.runDueSteps();
      expect(await textsOf(runId)).toEqual([["/v1/broadcast", `${name} fell, hidden`]]);
    }
  });

  it.each([
    ["[{{name}}] fell", "#f00", "\u2045#f00] fell"],
    ["[{{name}}] fell", "+40", "\u2045+40] fell"],
    ["[{{ name }}]{{name}}", "b", "\u2045b]b"],
    ["<{{name}}> fell", "size=60", "\u2039size=60> fell"],
    ["[{{name}}] <3 {{name}}", "Bob", "[Bob] <3 Bob"],
    ["<color=red>{{name}}</color>", "Bob", "<color=red>Bob</color>"],
  ])(
    "does not form a tag with a bracket of the template: the text %s with the value %s",
    async (text, name, said) => {
      const phases = [
        { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep(text) }] },
      ];
      const spec = { params: params("name"), phases };
      const runId = await stage.startEvent(await stage.publishEvent([], { spec }), {
        params: { name },
      });
      await stage.runDueSteps();
      expect(await textsOf(runId)).toEqual([["/v1/broadcast", said]]);
    },
  );

  it("becomes text in a text parameter, whatever its type", async () => {
    const given = {
      minutes: 5,
      share: 2.5,
      open: false,
      place: { map: "Felucca", x: 1, y: 2 },
    };
    const declared = [
      { name: "minutes", type: "integer" },
      { name: "share", type: "number" },
      { name: "open", type: "boolean" },
      { name: "place", type: "location" },
    ];
    const names = Object.keys(given);
    const steps = names.map((name) => ({ key: name, ...buildBroadcastStep(`{{${name}}}`) }));
    const spec = { params: declared, phases: [{ key: "one", title: "One", steps }] };
    const runId = await stage.startEvent(await stage.publishEvent([], { spec }), { params: given });
    await stage.runDueSteps();
    expect((await stage.read(runId)).run).toMatchObject({ status: "completed", health: "ok" });
    expect((await textsOf(runId)).map(([, text]) => text)).toEqual([
      "5",
      "2.5",
      "false",
      '{"x":1,"y":2,"map":"Felucca"}',
    ]);
  });

  it("becomes text if it comes from a game event or is compared with text", async () => {
    const advance = {
      kind: "trigger",
      trigger: "champ.end",
      where: [
        { var: "name", op: "eq", value: "{{wave}}" },
        { var: "type", op: "in", value: ["{{wave}}"] },
        { var: "outcome", op: "ne", value: "stopped" },
        { var: "map", op: "contains", value: "{{wave}}" },
        { var: "durationSec", op: "gt", value: "{{wave}}" },
      ],
    };
    const phases = [
      { key: "wait", title: "Wait", steps: [], advance },
      { key: "say", title: "Say", steps: [{ key: "s", ...buildBroadcastStep("{{durationSec}}") }] },
    ];
    const spec = { params: [{ name: "wave", type: "integer" }], phases };
    const runId = await stage.startEvent(await stage.publishEvent([], { spec }), {
      params: { wave: 3 },
    });
    const variables = { id: "0x40000001", outcome: "defeated", durationSec: 90 };
    const { context } = stage.shard.server;
    for (const [at, name] of ["4", "3"].entries()) {
      const named = { ...variables, name, type: "3", map: "Wave 3" };
      const told = {
        trigger: "champ.end",
        eventKey: `wave ${at}`,
        t: Date.now(),
        variables: named,
      };
      await inTransaction(context.sequelize, (within) =>
        emitTriggers([told], { source: "shard", within, context }),
      );
      await stage.runDueSteps();
    }
    expect((await stage.read(runId)).run).toMatchObject({ status: "completed", health: "ok" });
    expect((await textsOf(runId)).map(([, text]) => text)).toEqual(["90"]);
  });

  it("cannot become part of a URL, and an invalid value is not sent", async () => {
    const paths = [...tricky, "0x1/../0x2", "0x40001A2B/stop", " 0x40001A2B", "0x40001A2B?"];
    const step = { key: "s", actionId: "shard.champion.start", params: { id: "{{altar}}" } };
    const spec = {
      params: [{ name: "altar", type: "string" }],
      phases: [{ key: "one", title: "One", steps: [step] }],
    };
    const eventId = await stage.publishEvent([], { spec });
    for (const altar of paths) {
      const before = stage.shard.simulator.received.commands.length;
      const runId = await stage.startEvent(eventId, { params: { altar } });
      await stage.runDueSteps();
      const { run, steps } = await stage.read(runId);
      expect([altar, run.status, steps[0]?.status, steps[0]?.attempts]).toEqual([
        altar,
        "paused",
        "failed",
        1,
      ]);
      expect(stage.shard.simulator.received.commands).toHaveLength(before);
      await stage.ask(`POST /admin/events/runs/${runId}/cancel`);
    }
  });

  it("is rejected at once if it does not fit its parameter's type", async () => {
    const spec = {
      params: [{ name: "altar", type: "serial" }],
      phases: [
        { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("{{altar}}") }] },
      ],
    };
    const eventId = await stage.publishEvent([], { spec });
    for (const altar of tricky) {
      const body = { params: { altar } };
      const answered = await stage.as(stage.admin, `POST /admin/events/${eventId}/runs`, body);
      expect([answered.status, answered.body]).toEqual([
        400,
        { errors: [{ path: "/params/altar", code: "format", message: expect.any(String) }] },
      ]);
    }
  });

  it("is not public, and neither is the text that it fills", async () => {
    const spec = {
      listed: true,
      params: params("text"),
      phases: [
        { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("<{{text}}>") }] },
      ],
    };
    const eventId = await stage.publishEvent([], { spec, title: "An evening in public" });
    const text = "<script>unheard of</script>";
    await stage.startEvent(eventId, { params: { text } });
    await stage.runDueSteps();
    for (const route of ["/public/events", "/public/events/an-evening-in-public"]) {
      const shown = await callRoute(stage.shard.server, `GET ${route}`);
      expect([shown.status, shown.text.includes("unheard")]).toEqual([200, false]);
    }
  });
});
