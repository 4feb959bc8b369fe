import { readFileSync } from "node:fs";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  fillTemplates,
  findTemplateNames,
  findSoleTemplateName,
} from "../../shared/events/params.ts";
import { fillSpecDefaults } from "../../shared/events/spec/complete.ts";
import { findSpecFaults } from "../../shared/events/spec/validate.ts";
import { championEvening, buildOneStepSpec } from "./specs.ts";

const codes = (spec: unknown, zone = "Europe/Berlin") =>
  findSpecFaults(spec, zone).map(({ path, code }) => `${path} ${code}`);

const withStep = (step: object) => buildOneStepSpec({ key: "call", ...step });
const params = "/spec/phases/0/steps/0/params";

const upTo = (end: number): string => Array.from({ length: end }, (_, at) => at).join(",");

describe("an event spec", () => {
  it.each(["champion", "survival"])(
    "has no errors if it is the spec of the demo's %s evening",
    (name) => {
      const text = readFileSync(`test/demo/${name}-evening.json`, "utf8");
      const { spec, timezone } = JSON.parse(text) as { spec: unknown; timezone: string };
      expect(findSpecFaults(spec, timezone)).toEqual([]);
    },
  );

  it("has no errors if it is the contract's example, and gets the default values", () => {
    expect(findSpecFaults(championEvening, "Europe/Berlin")).toEqual([]);
    const { phases } = fillSpecDefaults(championEvening);
    expect(phases[0]?.steps[0]).toEqual({
      key: "call",
      actionId: "shard.broadcast",
      params: { text: "{{boss}} stirs!" },
      offsetSeconds: 0,
      onFailure: "continue",
      confirm: false,
      maxAttempts: 5,
      budgetMs: 60_000,
    });
    expect(phases[1]?.steps[0]?.onFailure).toBe("pause");
    expect(phases[1]?.advance).toEqual({
      kind: "trigger",
      trigger: "champ.end",
      count: 1,
      where: [{ var: "outcome", op: "eq", value: "defeated" }],
      timeoutSeconds: 3_600,
      onTimeout: "pause",
    });
    expect(fillSpecDefaults({ phases: [{ key: "one", title: "One" }] })).toEqual({
      listed: false,
      scope: "shard",
      schedule: { kind: "manual" },
      params: [],
      phases: [{ key: "one", title: "One", steps: [], advance: { kind: "steps" } }],
    });
  });

  it("reports all errors at once, each with its JSON pointer", () => {
    const faults = findSpecFaults(
      {
        listed: "yes",
        scope: "moon",
        colour: "red",
        schedule: { kind: "recurring", at: "2026-02-30T20:00", rrule: "FREQ=HOURLY" },
        params: [
          { name: "boss", type: "string", default: 7 },
          { name: "boss", type: "enum" },
          { name: "size", type: "integer", min: 9, max: 3 },
        ],
        phases: [
          {
            key: "one",
            title: "One",
            steps: [
              { key: "a", actionId: "shard.explode" },
              { key: "a", actionId: "shard.broadcast", params: { text: "{{nobody}}", tune: 1 } },
              { key: "b", actionId: "core.wait", params: { seconds: 0 }, onFailure: "cry" },
              { key: "c", actionId: "shard.towncrier.remove", params: { step: "a" } },
            ],
            advance: {
              kind: "trigger",
              trigger: "champ.end",
              where: [
                { var: "loot", op: "eq", value: 1 },
                { var: "outcome", op: "gt", value: "defeated" },
                { var: "outcome", op: "in", value: "defeated" },
                { var: "outcome", op: "like", value: "d" },
                { var: "durationSec", op: "lt", value: "long" },
              ],
            },
          },
          { key: "one", title: "", advance: { kind: "after" } },
          { key: "Two!", title: "Two", advance: { kind: "trigger", trigger: "moon.rise" } },
        ],
      },
      "Europe/Berlin",
    );
    expect(faults.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual(
      [
        "/spec/colour unknown",
        "/spec/listed type",
        "/spec/params/0/default type",
        "/spec/params/1/name duplicate",
        "/spec/params/1/values required",
        "/spec/params/2/max range",
        "/spec/phases/0/advance/where/0/var unknown",
        "/spec/phases/0/advance/where/1/op type",
        "/spec/phases/0/advance/where/2/value type",
        "/spec/phases/0/advance/where/3/op unknown",
        "/spec/phases/0/advance/where/4/value type",
        "/spec/phases/0/steps/0/actionId unknown",
        "/spec/phases/0/steps/1/key duplicate",
        "/spec/phases/0/steps/1/params/text template",
        "/spec/phases/0/steps/1/params/tune unknown",
        "/spec/phases/0/steps/2/onFailure unknown",
        "/spec/phases/0/steps/2/params/seconds range",
        "/spec/phases/0/steps/3/params/step unknown",
        "/spec/phases/1/advance/seconds required",
        "/spec/phases/1/key duplicate",
        "/spec/phases/1/title required",
        "/spec/phases/2/advance/trigger unknown",
        "/spec/phases/2/key format",
        "/spec/schedule/at format",
        "/spec/schedule/rrule format",
        "/spec/scope format",
      ].toSorted(),
    );
    expect(new Set(faults.map(({ message }) => typeof message))).toEqual(new Set(["string"]));
  });

  it.each<[string, unknown, string[]]>([
    ["a number in place of the spec", 7, ["/spec type"]],
    ["no phases", {}, ["/spec/phases required"]],
    ["an empty list of phases", { phases: [] }, ["/spec/phases limit"]],
    [
      "a schedule of the kind once without a time",
      buildOneStepSpec({}, { schedule: { kind: "once" } }),
      ["/spec/schedule/at required"],
    ],
    [
      "a rule in a schedule of the kind manual",
      buildOneStepSpec({}, { schedule: { kind: "manual", rrule: "FREQ=DAILY" } }),
      ["/spec/schedule/rrule unknown"],
    ],
    [
      "a text that is too long",
      withStep({ params: { text: "x".repeat(257) } }),
      [`${params}/text limit`],
    ],
    ["an empty text", withStep({ params: { text: " " } }), [`${params}/text required`]],
    ["a text that is a number", withStep({ params: { text: 5 } }), [`${params}/text type`]],
    ["no text", withStep({}), [`${params}/text required`]],
    [
      "a broken template",
      withStep({ params: { text: "a {{ 1+1 }} b" } }),
      [`${params}/text template`],
    ],
    [
      "nine lines for the town crier",
      withStep({
        actionId: "shard.towncrier.add",
        params: { lines: "x\n".repeat(9), durationSec: 60 },
      }),
      [`${params}/lines limit`],
    ],
    [
      "a template inside text for a number",
      withStep({ actionId: "core.wait", params: { seconds: "{{minutes}}0" } }),
      [`${params}/seconds type`],
    ],
    [
      "a text parameter for a number",
      withStep({ actionId: "core.wait", params: { seconds: "{{boss}}" } }),
      [`${params}/seconds type`],
    ],
    [
      "an integer parameter for a number",
      withStep({ actionId: "core.wait", params: { seconds: "{{ minutes }}" } }),
      [],
    ],
    [
      "a serial in any case",
      withStep({ actionId: "shard.champion.start", params: { id: "0xab" } }),
      [],
    ],
    [
      "a malformed serial",
      withStep({ actionId: "shard.champion.start", params: { id: "0xZZ" } }),
      [`${params}/id format`],
    ],
    [
      "a trigger's variable before its gate",
      withStep({ params: { text: "{{outcome}}" } }),
      [`${params}/text template`],
    ],
  ])("is rejected with the error of one invalid field: %s", (_title, spec, expected) => {
    expect(codes(spec)).toEqual(expected);
  });

  it("must name the recipients and the server of a kit", () => {
    const codesOf = (given: object) =>
      codes(withStep({ actionId: "survival.kit.entitle", params: { kit: "event", ...given } }));
    const anna = "76561198000000001";
    expect(codesOf({ steamIds: anna, server: "oak" })).toEqual([]);
    expect(codesOf({ steamIds: "{{boss}}", server: "{{boss}}" })).toEqual([]);
    expect(codesOf({})).toEqual([`${params}/participation required`]);
    expect(codesOf({ server: "oak", steamIds: null })).toEqual([
      `${params}/participation required`,
    ]);
    expect(codesOf({ steamIds: anna })).toEqual([`${params}/server required`]);
    for (const steamIds of ["", " , ", "７６５６１１９８０００００００００１"]) {
      expect(codesOf({ server: "oak", steamIds })).toEqual([`${params}/steamIds format`]);
    }
  });

  it("must name the zone for participation by zone", () => {
    const open = { server: "oak", method: "zone", durationSec: 60 };
    expect(codes(withStep({ actionId: "survival.participation.open", params: open }))).toEqual([
      `${params}/zone required`,
    ]);
  });

  it("may use a trigger's variables in the steps after its gate, and no unknown variables", () => {
    const phases = (text: string) => ({
      phases: [
        { key: "one", title: "One", advance: { kind: "trigger", trigger: "champ.end" } },
        {
          key: "two",
          title: "Two",
          steps: [{ key: "tell", actionId: "shard.broadcast", params: { text } }],
        },
      ],
    });
    expect(codes(phases("It was {{outcome}} after {{durationSec}}"))).toEqual([]);
    expect(codes(phases("{{winner}}"))).toEqual(["/spec/phases/1/steps/0/params/text template"]);
  });

  it("resolves a template to the parameter if a trigger's variable has the same name", () => {
    const wait = { key: "wait", actionId: "core.wait", params: { seconds: "{{durationSec}}" } };
    const phases = [
      { key: "one", title: "One", advance: { kind: "trigger", trigger: "champ.end" } },
      { key: "two", title: "Two", steps: [wait] },
    ];
    const declared = (param: object) => ({ phases, params: [{ name: "durationSec", ...param }] });
    expect(codes({ phases })).toEqual([]);
    expect(codes(declared({ type: "integer", default: 5 }))).toEqual([]);
    expect(codes(declared({ type: "string", default: "five" }))).toEqual([
      "/spec/phases/1/steps/0/params/seconds type",
    ]);
  });

  it("has at most 200 steps, 25 in a phase, in 20 phases", () => {
    const steps = (phase: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        key: `s${phase}-${at}`,
        actionId: "core.confirm",
      }));
    const made = (count: number, each: number) => ({
      phases: Array.from({ length: count }, (_, at) => ({
        key: `p${at}`,
        title: "P",
        steps: steps(at, each),
      })),
    });
    expect(codes(made(8, 25))).toEqual([]);
    expect(codes(made(9, 25))).toEqual(["/spec/phases limit"]);
    expect(codes(made(1, 26))).toEqual(["/spec/phases/0/steps limit"]);
    expect(codes(made(21, 1))).toEqual(["/spec/phases limit"]);
  });

  it.each([
    ["FREQ=WEEKLY;BYDAY=SA", []],
    ["FREQ=MONTHLY;BYDAY=-1SA", []],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", []],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ["never_fires"]],
    ["FREQ=HOURLY", ["format"]],
    ["FREQ=WEEKLY;COUNT=3", ["format"]],
    ["FREQ=WEEKLY;UNTIL=20270101T000000Z", ["format"]],
    ["DTSTART:20260101T000000Z", ["format"]],
    ["FREQ=WEEKLY;BYDAY=5SA", ["format"]],
    ["FREQ=WEEKLY;FREQ=DAILY", ["format"]],
    ["BYDAY=SA", ["format"]],
    ["", ["required"]],
    [`FREQ=DAILY;BYHOUR=${"1,".repeat(600)}1`, ["limit"]],
    ["FREQ=MONTHLY;BYMONTHDAY=32", ["format"]],
    [`FREQ=DAILY;BYHOUR=${upTo(24)};BYMINUTE=${upTo(12)}`, []],
    [`FREQ=DAILY;BYHOUR=${upTo(17)};BYMINUTE=${upTo(17)}`, ["limit"]],
    [`FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${upTo(8)};BYMINUTE=${upTo(20)}`, []],
    ["FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=20,21;BYSETPOS=-1", []],
    [`FREQ=YEARLY;BYDAY=MO;BYMINUTE=${upTo(3)};BYSETPOS=-1`, ["limit"]],
    ["FREQ=DAILY;__proto__=1", ["format"]],
  ])("gets the expected errors for its recurrence rule: %.60s", (rrule, expected) => {
    const spec = buildOneStepSpec(
      {},
      { schedule: { kind: "recurring", at: "2026-12-05T20:00", rrule } },
    );
    expect(codes(spec)).toEqual(expected.map((code) => `/spec/schedule/rrule ${code}`));
  });

  const recurring = (rrule: string) =>
    buildOneStepSpec({}, { schedule: { kind: "recurring", at: "2026-12-05T20:00", rrule } });

  it.each([
    "RRULE:FREQ=WEEKLY;BYDAY=SA",
    "rrule:freq=weekly;byday=sa",
    "FREQ=WEEKLY;BYDAY=SA;",
    " RRULE:freq=Weekly;BYDAY=sa;\n",
  ])("accepts a rule as calendar programs write it: %j", (rrule) => {
    expect(codes(recurring(rrule))).toEqual([]);
    expect(fillSpecDefaults(recurring(rrule)).schedule).toMatchObject({
      rrule: "FREQ=WEEKLY;BYDAY=SA",
    });
  });

  it.each([
    [
      "FREQ=WEEKLY;;BYDAY=SA",
      "has an empty part: two semicolons follow each other, or the rule is empty",
    ],
    ["RRULE:", "has an empty part: two semicolons follow each other, or the rule is empty"],
    ["RRULE:RRULE:FREQ=DAILY", "has an unsupported part: RRULE:FREQ=DAILY"],
    ["FREQ=WEEKLY;COUNT=3", "has an unsupported part: COUNT=3"],
    ["FREQ=DAILY;BYHOUR=25", "has an invalid BYHOUR: it must be whole numbers from 0 to 23"],
    ["FREQ=DAILY;BYHOUR", "has an invalid BYHOUR: it must be whole numbers from 0 to 23"],
    ["FREQ=", "has an invalid FREQ: it must be DAILY, WEEKLY, MONTHLY or YEARLY"],
    ["BYDAY=SA", "must have FREQ"],
  ])("explains why it rejects the rule %j", (rrule, message) => {
    expect(findSpecFaults(recurring(rrule), "Europe/Berlin")).toEqual([
      { path: "/spec/schedule/rrule", code: "format", message: expect.stringContaining(message) },
    ]);
  });

  it("is rejected as never firing if its schedule ends before it begins", () => {
    const schedule = { kind: "recurring", rrule: "FREQ=DAILY", at: "2026-12-05T20:00" };
    const until = (end: string) =>
      codes(buildOneStepSpec({}, { schedule: { ...schedule, until: end } }));
    expect(until("2026-12-05T19:59")).toEqual(["/spec/schedule/rrule never_fires"]);
    expect(until("2026-12-05T20:00")).toEqual([]);
  });

  it("is rejected with a single error if it is far too large", () => {
    const phases = Array.from({ length: 12_000 }, () => ({ steps: [{}, {}] }));
    expect(codes({ phases })).toEqual(["/spec limit"]);
    expect(codes(Array.from({ length: 500_000 }, () => 0))).toEqual(["/spec limit"]);
  });

  it("never makes the check throw, whatever JSON value it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (spec, zone) => {
        for (const { path, code } of findSpecFaults(spec, zone)) {
          expect(path.startsWith("/spec")).toBe(true);
          expect(code).toBeTruthy();
        }
      }),
    );
  });

  it("allows only the operators contains and exists for a list variable", () => {
    const asking = (op: string, value: unknown) => ({
      phases: [
        {
          key: "one",
          title: "One",
          steps: [],
          advance: {
            kind: "trigger",
            trigger: "survival.permission.changed",
            where: [{ var: "servers", op, value }],
          },
        },
      ],
    });
    expect(codes(asking("contains", "Oak"))).toEqual([]);
    expect(codes(asking("exists", true))).toEqual([]);
    const place = "/spec/phases/0/advance/where/0";
    expect(codes(asking("contains", 4))).toEqual([`${place}/value type`]);
    for (const op of ["eq", "ne", "in", "gt"]) {
      expect(codes(asking(op, op === "in" ? ["Oak"] : "Oak"))).toEqual([`${place}/op type`]);
    }
  });

  it("never makes the check throw, whatever value replaces one of its parts", () => {
    const places = placesOf(championEvening);
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("{{", "{{}}", "{{boss}}", "__proto__"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), anything, (place, value) => {
        const spec = replaced(championEvening, place, value);
        const faults = findSpecFaults(spec, "Europe/Berlin");
        const { phases } = faults.length === 0 ? fillSpecDefaults(spec) : { phases: [] };
        expect(phases.every(({ steps }) => steps.every(({ maxAttempts }) => maxAttempts > 0))).toBe(
          true,
        );
      }),
      { numRuns: 500 },
    );
  });
});

type Way = readonly (string | number)[];

function placesOf(value: unknown, way: Way = []): Way[] {
  if (typeof value !== "object" || value === null) return [way];
  const within = Object.entries(value).flatMap(([name, item]) =>
    placesOf(item, [...way, Array.isArray(value) ? Number(name) : name]),
  );
  return [way, ...within];
}

function replaced(value: unknown, [first, ...rest]: Way, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, at) => (at === first ? replaced(item, rest, by) : item));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: replaced(fields[first], rest, by) };
}

describe("a template", () => {
  it("yields a value with its type if the template is the whole text, and text inside other text", () => {
    const values = { count: 3, place: { map: "Felucca" }, name: "Maple" };
    expect(fillTemplates("{{count}}", values)).toBe(3);
    expect(fillTemplates("{{ place }}", values)).toEqual({ map: "Felucca" });
    expect(fillTemplates("{{name}} x{{ count }}{{nobody}}", values)).toBe("Maple x3");
    expect(fillTemplates("{{nobody}}", values)).toBeUndefined();
    const servers = ["Oak", "Elm"];
    expect([
      fillTemplates("{{servers}}", { servers }),
      fillTemplates("on {{servers}}.", { servers }),
    ]).toEqual(["Oak, Elm", "on Oak, Elm."]);
    expect(fillTemplates("{{toString}}{{__proto__}}.", values)).toBe(".");
  });

  it("is found in any text exactly as a reference pattern finds it", () => {
    const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;
    const alone = /^\{\{\s*([^{}]*?)\s*\}\}$/;
    const pieces = fc.constantFrom(
      "{",
      "}",
      "{{",
      "}}",
      " ",
      "\n",
      "\u00a0",
      "\ufeff",
      "a",
      "b c",
      "$&",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join("");
        const names = [...text.matchAll(pattern)].map(([, name]) => name ?? "");
        expect(findTemplateNames(text)).toEqual(names);
        expect(findSoleTemplateName(text)).toBe(alone.exec(text)?.[1]);
        const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
        const filled = text.replaceAll(pattern, (_, name: string) => `<${name}>`);
        expect(fillTemplates(text, values)).toBe(filled);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is left unchanged if it is never closed, and an overlong text is rejected for its length", () => {
    const endless = `{{${" ".repeat(200_000)}`.repeat(3);
    expect([
      findTemplateNames(endless),
      findSoleTemplateName(endless),
      fillTemplates(endless, {}),
    ]).toEqual([[], undefined, endless]);
    const long = buildOneStepSpec({ params: { text: `{{boss}}${" ".repeat(16_000)}` } });
    expect(codes(long)).toEqual(["/spec/phases/0/steps/0/params/text limit"]);
  });

  it("inserts values that are not read as templates", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tricky = `{{b}}${text}$&{{a}}`;
        expect(fillTemplates("<{{a}}>", { a: tricky, b: "secret" })).toBe(`<${tricky}>`);
        expect(findTemplateNames("<{{a}}>")).toEqual(["a"]);
      }),
    );
  });
});
