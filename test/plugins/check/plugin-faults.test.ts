import { describe, expect, it } from "vitest";

import { checkPlugin } from "../../../plugins/check/plugin/check-plugin.ts";
import type { PluginRequirement } from "../../../plugins/check/plugin/requirements.ts";
import type { CheckResult } from "../../../plugins/check/report/print.ts";
import type { Verdict } from "../../../plugins/check/report/requirement.ts";
import { type DoubleOptions, type Fault, faults, PluginDouble } from "./plugin-double.ts";

/** The seconds that a minute of the protocol lasts for the plugin double. */
const minute = 3;

interface Case {
  /** The checks to run. They include the check of the requirement that the fault breaks. */
  readonly only: readonly string[];
  /** The requirement that the fault breaks. */
  readonly breaks: PluginRequirement;
  readonly options?: CheckOptions;
}

interface CheckOptions {
  readonly double?: Pick<DoubleOptions, "periodMs" | "buffer">;
  /** The seconds of Retry-After in the site's answers. */
  readonly rest?: number;
}

/**
 * A plugin that ignores Retry-After calls again at once, so even a slow machine detects the fault long before
 * this pause ends.
 */
const longRest: CheckOptions = { rest: 120 };

const breaking = (
  breaks: PluginRequirement,
  more: readonly string[] = [],
  options: CheckOptions = {},
): Case => ({ only: [breaks.split(".")[0] ?? "", ...more], breaks, options });

/** CATALOGUE of the faults, each with the requirement that it breaks. */
const cases: Readonly<Record<Fault, Case>> = {
  acceptsUnknownCalls: breaking("commands.unknown"),
  answersFirstOnly: breaking("commands.several"),
  assumesAllStored: breaking("resend.partial"),
  beginsWithEvents: breaking("hello.first"),
  callsElsewhere: breaking("transport.paths"),
  changesOutcomes: breaking("commands.once"),
  claimsPages: breaking("calls.capabilities"),
  dropsLostBatches: breaking("resend.lost"),
  dropsRefusedBatches: breaking("resend.busy"),
  floods: breaking("transport.rate"),
  forgetsKeys: breaking("commands.key"),
  forgetsLostHellos: breaking("hello.repeated"),
  forgetsOutcomes: breaking("commands.lost"),
  givesUp: breaking("away.return"),
  hammers: breaking("away.backoff"),
  hidesGaps: breaking("gap.rewind"),
  hugeOutcomes: breaking("commands.limits"),
  hurriesEvents: breaking("resend.after", [], longRest),
  hurriesWaits: breaking("waits.after", [], longRest),
  ignoresConflicts: breaking("conflict.next"),
  ignoresHead: breaking("hello.range"),
  impatient: breaking("waits.held"),
  insistsOnOutcomes: breaking("commands.withdrawn"),
  keepsEpoch: breaking("conflict.epoch"),
  largeBatches: breaking("events.limits"),
  losesEpoch: breaking("hello.epoch"),
  namesNoBoot: breaking("transport.boot"),
  oddHello: breaking("hello.fields"),
  oddKind: breaking("payloads.kinds"),
  oddOutcome: breaking("commands.form"),
  oddPayload: breaking("payloads.fields"),
  oddRoster: breaking("calls.reads"),
  oddTime: breaking("events.envelope"),
  overlapsEvents: breaking("events.single"),
  plainText: breaking("transport.json"),
  repeatsOutcomes: breaking("commands.once"),
  retriesDisabled: breaking("refused.disabled"),
  retriesKey: breaking("refused.key"),
  retriesProtocol: breaking("refused.protocol"),
  returnsSuperseded: breaking("superseded.silent"),
  reusesKeys: breaking("events.keys"),
  rewritesEvents: breaking("events.unchanged", ["resend"]),
  sendsTwice: breaking("events.once"),
  skipsSeq: breaking("events.sequence"),
  stopsWaiting: breaking("waits.next", ["transport"]),
  tearsSnapshots: breaking("snapshots.whole"),
  tellsKey: breaking("transport.key"),
  twoWaits: breaking("waits.one"),
};

/** Runs the checks on a plugin double. Without a fault, the double follows the protocol. */
async function check(
  fault: Fault | undefined,
  only: readonly string[] | undefined,
  { double: ofDouble, rest }: CheckOptions = {},
): Promise<CheckResult> {
  let double: PluginDouble | undefined;
  try {
    return await checkPlugin({
      game: "uo",
      port: 0,
      only,
      minute,
      patience: 5,
      rest,
      say: () => undefined,
      onReady: (url, key) => {
        double = new PluginDouble({ url, key, fault, minuteMs: minute * 1_000, ...ofDouble });
      },
    });
  } finally {
    double?.stop();
  }
}

const faulty = ({ verdicts }: CheckResult): Verdict[] =>
  verdicts.filter(({ status }) => status === "failed" || status === "not seen");

describe("the plugin check", () => {
  it("finds no fault in a plugin that follows the protocol", async () => {
    const outcome = await check(undefined, undefined, { double: { periodMs: 100, buffer: 15 } });
    expect(faulty(outcome)).toEqual([]);
  });

  it("names the field of an invalid payload and shows the bytes", async () => {
    const { verdicts } = await check("oddPayload", ["payloads"]);
    expect(verdicts.find(({ id }) => id === "payloads.fields")?.findings[0]).toEqual({
      expected: expect.stringMatching(/^vendor\.upsert: .*items\[0\]\.price must be a number$/),
      got: '$.items[0].price is "cheap"',
      bytes: expect.stringMatching(/^\{"seq":\d+,"kind":"vendor\.upsert",/),
    });
  });

  it("names a capability that the plugin announces but does not have", async () => {
    const { verdicts } = await check("claimsPages", ["calls"]);
    expect(verdicts.find(({ id }) => id === "calls.capabilities")?.findings[0]).toEqual({
      expected: "an answer to GET /v1/pages, because the capabilities list pages",
      got: "422 UNSUPPORTED",
      bytes: '{"status":422,"body":{"code":"UNSUPPORTED"}}',
    });
  });
});

describe.concurrent("the plugin check reports the fault", () => {
  it.each(faults.map((fault) => [fault, cases[fault]] as const))(
    "%s",
    async (fault, { only, breaks, options }) => {
      const { verdicts } = await check(fault, only, options);
      expect(verdicts.find(({ id }) => id === breaks)).toMatchObject({
        status: "failed",
        findings: expect.arrayContaining([
          expect.objectContaining({ expected: expect.any(String), got: expect.any(String) }),
        ]),
      });
    },
  );
});
