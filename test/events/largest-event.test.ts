import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { statusAndBodyOf } from "../support/http/call.ts";
import { buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const listOf = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));

interface Sizes {
  readonly phases: number;
  /** The number of steps of each phase. */
  readonly steps: number;
  readonly params: number;
  readonly conditions: number;
  readonly members: number;
  readonly attempts: number;
  readonly offset: number;
}

const maxSizes: Sizes = {
  phases: 20,
  steps: 10,
  params: 20,
  conditions: 10,
  members: 50,
  attempts: 20,
  offset: 604_800,
};

/** Returns an event of these sizes. Its last phase waits for events of a trigger. */
function buildEvent(sizes: Partial<Sizes> = {}, fields: object = {}): object {
  const of = { ...maxSizes, ...sizes };
  const params = listOf(of.params, (at) => ({ name: `p${at}`, type: "text", default: `v${at}` }));
  const text = listOf(Math.min(of.params, 20), (at) => `{{p${at}}}`).join(" ");
  const phases = listOf(of.phases, (phase) => ({
    key: `${"k".repeat(37)}${phase}`,
    title: "T".repeat(200),
    steps: listOf(of.steps, (step) => ({
      key: `s${phase}-${step}`,
      maxAttempts: of.attempts,
      ...buildBroadcastStep(text),
    })),
  }));
  const where = listOf(of.conditions, () => ({
    var: "name",
    op: "in",
    value: listOf(of.members, (at) => `Altar ${at}`),
  }));
  const last = {
    ...phases.at(-1),
    advance: {
      kind: "trigger",
      trigger: "champ.end",
      count: 1_000,
      where,
      timeoutSeconds: of.offset,
      onTimeout: "advance",
    },
  };
  return {
    title: "E".repeat(200),
    summary: "S".repeat(500),
    body: "B".repeat(20_000),
    graceSeconds: 86_400,
    concurrencyKey: "C".repeat(100),
    ...fields,
    spec: { params, phases: [...phases.slice(0, -1), last] },
  };
}

const post = (body: unknown) => stage.as(stage.admin, "POST /admin/events", body);

describe("an event definition of the largest size", () => {
  it("is accepted, published, verified and run to its end, and each step is executed once", async () => {
    const made = await post(buildEvent());
    expect(made.status).toBe(201);
    const { id } = (made.body as { event: { id: number } }).event;
    await stage.ask(`POST /admin/events/${id}/publish`);
    const verified = await stage.ask<{ report: object }>(`POST /admin/events/${id}/verify`, {});
    expect(verified.report).toMatchObject({ ok: true, worstCase: { broadcasts: 200 } });
    const runId = await stage.startEvent(id);
    await stage.runDueSteps();
    const waiting = await stage.read(runId);
    expect(waiting.steps.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      listOf(200, () => "succeeded 1"),
    );
    const sent = waiting.steps.flatMap((step) => stage.commandsOf(step));
    const text = listOf(20, (at) => `v${at}`).join(" ");
    expect(sent.map(({ body }) => (body as { text: string }).text)).toEqual(
      listOf(200, () => text),
    );
    await stage.ask(`POST /admin/events/runs/${runId}/advance`);
    expect((await stage.read(runId)).run).toMatchObject({ status: "completed", health: "ok" });
    const kinds = await stage.kindsOf(runId);
    expect(kinds.filter((kind) => kind === "step.succeeded")).toHaveLength(200);
    expect(kinds.filter((kind) => kind === "phase")).toHaveLength(20);
  });

  it.each([
    ["21 phases", { phases: 21, steps: 9 }, "/spec/phases"],
    ["26 steps in a phase", { phases: 8, steps: 26 }, "/spec/phases/0/steps"],
    ["207 steps in all", { phases: 9, steps: 23 }, "/spec/phases"],
    ["21 parameters", { params: 21 }, "/spec/params"],
    ["11 conditions of a gate", { conditions: 11 }, "/spec/phases/19/advance/where"],
    ["51 values in a condition", { members: 51 }, "/spec/phases/19/advance/where/0/value"],
    ["21 attempts of a step", { attempts: 21 }, "/spec/phases/0/steps/0/maxAttempts"],
    ["a timeout of 604,801 seconds", { offset: 604_801 }, "/spec/phases/19/advance/timeoutSeconds"],
  ] as const)("is rejected if a count is larger than allowed: %s", async (_name, sizes, path) => {
    const answered = await post(buildEvent(sizes));
    const { errors } = answered.body as { errors: { path: string; code: string }[] };
    expect([answered.status, errors[0]?.path]).toEqual([400, path]);
    expect(["limit", "range"]).toContain(errors[0]?.code);
  });

  it.each([
    ["title", { title: "E".repeat(201) }],
    ["summary", { summary: "S".repeat(501) }],
    ["body", { body: "B".repeat(20_001) }],
    ["concurrencyKey", { concurrencyKey: "C".repeat(101) }],
    ["graceSeconds", { graceSeconds: 86_401 }],
  ])("is rejected if a field is larger than allowed: %s", async (name, fields) => {
    expect(statusAndBodyOf(await post(buildEvent({}, fields)))).toEqual([
      400,
      {
        errors: [
          {
            path: `/${name}`,
            code: expect.stringMatching(/^(limit|range)$/),
            message: expect.any(String),
          },
        ],
      },
    ]);
  });

  it("may have exactly the largest body size, and no byte more", async () => {
    const largest = 256 * 1_024;
    const textOf = (bytes: number): string => {
      const text = JSON.stringify(buildEvent());
      return text + " ".repeat(bytes - text.length);
    };
    expect((await post(textOf(largest))).status).toBe(201);
    expect(statusAndBodyOf(await post(textOf(largest + 1)))).toEqual([
      413,
      { error: "Request body is too large" },
    ]);
  });
});
