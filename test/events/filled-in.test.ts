import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { inTransaction } from "../../shared/db/transaction.ts";
import { emitTriggers } from "../../shared/events/gates/emit-triggers.ts";
import { call } from "../support/call.ts";
import { say, Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
  await stage.enable("shard.champion.start", true);
});
afterAll(() => stage.stop());

/** What tries to be more than a value. */
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

describe("a value that is filled in", () => {
  it.each(tricky)("is said as it is, and never read again: %s", async (text) => {
    const phases = [
      {
        key: "one",
        title: "One",
        steps: [
          { key: "within", ...say("<{{text}}> and {{secret}}") },
          { key: "alone", ...say("{{text}}") },
        ],
      },
    ];
    const spec = { params: params("text", "secret"), phases };
    const eventId = await stage.published([], { spec });
    const runId = await stage.started(eventId, { params: { text, secret: "hidden" } });
    await stage.work();
    expect((await stage.read(runId)).run).toMatchObject({ status: "completed", health: "ok" });
    expect(await textsOf(runId)).toEqual([
      ["/v1/broadcast", `<${text}> and hidden`],
      ["/v1/broadcast", text],
    ]);
  });

  it("is as little read again where an event of the game told it", async () => {
    const { context } = stage.shard.server;
    const advance = { kind: "trigger", trigger: "champ.end" };
    const phases = [
      { key: "wait", title: "Wait", steps: [], advance },
      { key: "say", title: "Say", steps: [{ key: "s", ...say("{{name}} fell, {{secret}}") }] },
    ];
    const spec = { params: params("secret"), phases };
    for (const [at, name] of tricky.entries()) {
      const eventId = await stage.published([], { spec });
      const runId = await stage.started(eventId, { params: { secret: "hidden" } });
      const variables = { id: "0x40000001", outcome: "defeated", name };
      const told = { trigger: "champ.end", eventKey: `told ${at}`, t: Date.now(), variables };
      await inTransaction(context.sequelize, (within) =>
        emitTriggers([told], { source: "shard", within, context }),
      );
      await stage.work();
      expect(await textsOf(runId)).toEqual([["/v1/broadcast", `${name} fell, hidden`]]);
    }
  });

  it("becomes no part of an address: what is not what the action asks for is not sent", async () => {
    const paths = [...tricky, "0x1/../0x2", "0x40001A2B/stop", " 0x40001A2B", "0x40001A2B?"];
    const step = { key: "s", actionId: "shard.champion.start", params: { id: "{{altar}}" } };
    const spec = {
      params: [{ name: "altar", type: "string" }],
      phases: [{ key: "one", title: "One", steps: [step] }],
    };
    const eventId = await stage.published([], { spec });
    for (const altar of paths) {
      const before = stage.shard.simulator.received.commands.length;
      const runId = await stage.started(eventId, { params: { altar } });
      await stage.work();
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

  it("is refused at once where its parameter has a type that it is not of", async () => {
    const spec = {
      params: [{ name: "altar", type: "serial" }],
      phases: [{ key: "one", title: "One", steps: [{ key: "s", ...say("{{altar}}") }] }],
    };
    const eventId = await stage.published([], { spec });
    for (const altar of tricky) {
      const body = { params: { altar } };
      const answered = await stage.as(stage.admin, `POST /admin/events/${eventId}/runs`, body);
      expect([answered.status, answered.body]).toEqual([
        400,
        { errors: [{ path: "/params/altar", code: "format", message: expect.any(String) }] },
      ]);
    }
  });

  it("is never public, and neither is what was made of it", async () => {
    const spec = {
      listed: true,
      params: params("text"),
      phases: [{ key: "one", title: "One", steps: [{ key: "s", ...say("<{{text}}>") }] }],
    };
    const eventId = await stage.published([], { spec, title: "An evening in public" });
    const text = "<script>unheard of</script>";
    await stage.started(eventId, { params: { text } });
    await stage.work();
    for (const route of ["/public/events", "/public/events/an-evening-in-public"]) {
      const shown = await call(stage.shard.server, `GET ${route}`);
      expect([shown.status, shown.text.includes("unheard")]).toEqual([200, false]);
    }
  });
});
