import { array, assert, constantFrom, json, property, record } from "fast-check";
import { describe, expect, it } from "vitest";

import { excerptOf } from "../../../plugins/check/report/excerpt.ts";
import {
  formatReport as describeOutcome,
  formatReportAsJson,
  exitCodeOf,
} from "../../../plugins/check/report/print.ts";
import { Report } from "../../../plugins/check/report/report.ts";
import { declareRequirements } from "../../../plugins/check/report/requirement.ts";
import { splitJsonList } from "../../../plugins/check/site/batch.ts";

const sentences = declareRequirements("manners", {
  greets: ["A guest greets", "hello"],
  knocks: ["A guest knocks", "events", "gaps"],
  sings: ["A guest sings", "commands"],
  waits: ["A guest waits", "wait"],
});

const outcomeOf = (report: Report<keyof typeof sentences>) => ({
  subject: "A guest",
  verdicts: report.verdicts(),
  notes: ["It rained"],
});

describe("the report of a check", () => {
  it("shows each requirement with its mark, its findings, or the reason why it was not checked", () => {
    const report = new Report(sentences);
    report.pass("greets");
    report.pass("knocks");
    for (const times of [1, 2, 3, 4, 5]) {
      report.fail("knocks", { expected: "a knock", got: `none for ${times} s`, bytes: "{}" });
    }
    report.skip("sings", "it has no voice");
    report.notSeen("waits", "nobody was late");
    const outcome = outcomeOf(report);
    expect(describeOutcome(outcome).split("\n")).toEqual([
      "A guest",
      "",
      "manners",
      "  ✓ A guest greets [greets; Say hello]",
      "  ✗ A guest knocks [knocks; Send events, Gaps]",
      ...[1, 2, 3].flatMap((times) => [
        "      expected: a knock",
        `      got:      none for ${times} s`,
        "      bytes:    {}",
      ]),
      "      and 2 more times",
      "  – A guest sings [sings; Carry out commands]",
      "      does not apply: it has no voice",
      "  ? A guest waits [waits; Wait for commands]",
      "      not seen: nobody was late",
      "",
      "It rained",
      "",
      "The titles in brackets are sections of /api/docs/bridge on every site",
      "",
      "4 sentences: 1 passed, 1 failed, 1 not seen, 1 does not apply",
    ]);
    expect(exitCodeOf(outcome)).toBe(1);
  });

  it("links each requirement to its documentation in JSON", () => {
    const report = new Report(sentences);
    const { sentences: told } = JSON.parse(formatReportAsJson(outcomeOf(report))) as {
      sentences: readonly { id: string; from: object }[];
    };
    expect(told.find(({ id }) => id === "knocks")?.from).toEqual([
      { title: "Send events", link: "/api/docs/bridge#events" },
      { title: "Gaps", link: "/api/docs/bridge#gaps" },
    ]);
  });

  it("exits with 2 if a requirement was not observed, and with 0 if all passed or did not apply", () => {
    const report = new Report(sentences);
    for (const id of ["greets", "knocks", "sings"] as const) report.pass(id);
    expect(exitCodeOf(outcomeOf(report))).toBe(2);
    report.skip("waits", "it never waits");
    expect(exitCodeOf(outcomeOf(report))).toBe(0);
  });

  it("shows the start of the sent bytes, on one line and without the key", () => {
    const key = `ghk_${"k".repeat(43)}`;
    expect(excerptOf(`Bearer ${key}\n\u0000${"x".repeat(500)}`)).toBe(
      `Bearer ghk_…\\u000a\\u0000${"x".repeat(344)}… (156 characters more)`,
    );
  });
});

describe("the events in a request body", () => {
  it("are extracted byte for byte, whatever JSON they contain and whatever JSON surrounds them", () => {
    const any = json({ maxDepth: 4 });
    const body = record({ before: any, events: array(any), after: any });
    assert(
      property(body, constantFrom("", " ", "\n  "), ({ before, events, after }, space) => {
        const list = events.join(`${space},${space}`);
        const text = `{"a":${before},${space}"events"${space}:[${space}${list}${space}],"b":${after}}`;
        expect(splitJsonList(text, "events")).toEqual(events.map((event) => event.trim()));
      }),
    );
  });
});
