import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readFrame, toRejectedFrame } from "../../shared/platform/bridge/frame.ts";
import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { isPlainText } from "../../shared/platform/texts/plain-text.ts";
import { bootId, epoch, buildEventFrame, buildHelloFrame } from "./stream-server.ts";

const read = (frame: unknown) => readFrame(JSON.stringify(frame));
const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`);

describe("readFrame", () => {
  it("reads all fields of an event and drops unknown fields", () => {
    const sent = buildEventFrame(7, { eventKey: "sale:1", replay: true, colour: "red" });
    expect(read(sent)).toStrictEqual({
      type: "event",
      epoch,
      seq: 7,
      bootId,
      eventKey: "sale:1",
      kind: "chat.message",
      t: 1_764_200_000_007,
      replay: true,
      payload: { text: "line 7" },
    });
  });

  it("reads a missing boot id or event key as null and a missing replay as false", () => {
    const sent = buildEventFrame(1, { bootId: undefined, eventKey: undefined, replay: undefined });
    expect(read(sent)).toMatchObject({ bootId: null, eventKey: null, replay: false });
  });

  it("converts the epoch to lower case, as the database returns it", () => {
    expect(read(buildEventFrame(1, { epoch: epoch.toUpperCase() }))).toMatchObject({ epoch });
  });

  it("reads a hello and keeps the whole frame as details", () => {
    const sent = buildHelloFrame({ head: 9, oldest: 3 });
    expect(read(sent)).toStrictEqual({
      type: "hello",
      protocol: 8,
      epoch,
      bootId,
      head: 9,
      oldest: 3,
      pluginConnected: true,
      capabilities: ["clilocs"],
      t: 1_764_200_000_000,
      details: sent,
    });
  });

  it.each([0, 2 ** 53 - 1, 2 ** 53])("accepts an event with the time %d", (t) => {
    expect(read(buildEventFrame(5, { t }))).toMatchObject({ type: "event", seq: 5, t });
  });

  it("reads live, gap and plugin frames", () => {
    expect(read({ type: "live", head: 4 })).toStrictEqual({ type: "live", head: 4 });
    expect(read({ type: "gap", from: 2, to: 3, reason: "dropped" })).toStrictEqual({
      type: "gap",
      from: 2,
      to: 3,
      reason: "dropped",
    });
    expect(read({ type: "plugin", connected: true, bootId })).toStrictEqual({
      type: "plugin",
      connected: true,
      bootId,
    });
  });

  it("ignores frames of an unknown type", () => {
    expect(read({ type: "weather", sky: "storm" })).toStrictEqual({ type: "ignored" });
    expect(read({ type: "constructor" })).toStrictEqual({ type: "ignored" });
  });

  it.each([
    ["a missing kind", "kind", { kind: undefined }],
    ["an odd kind", "kind", { kind: "Vendor Sale!" }],
    ["a long kind", "kind", { kind: "k".repeat(65) }],
    ["a kind in a list", "kind", { kind: ["chat.message"] }],
    ["a missing time", "t", { t: undefined }],
    ["a time in text", "t", { t: "1764200000000" }],
    ["a fractional time", "t", { t: 1.5 }],
    ["a negative time", "t", { t: -1 }],
    ["a time past the protocol's bound", "t", { t: 2 ** 53 + 2 }],
    ["a number as its boot id", "bootId", { bootId: 7 }],
    ["a long boot id", "bootId", { bootId: "b".repeat(65) }],
    ["markup in the boot id", "bootId", { bootId: "<b>boot</b>" }],
    ["a boot id with a control character for text direction", "bootId", { bootId: "boot\u202e" }],
    ["a long event key", "eventKey", { eventKey: "k".repeat(257) }],
    ["no payload", "payload", { payload: null }],
    ["a list as its payload", "payload", { payload: [] }],
    ["a text as its payload", "payload", { payload: "hello" }],
    ["33 levels", "depth", { payload: nested(33) }],
    ["more than 256 KiB", "size", { payload: { padding: "x".repeat(256 * 1024) } }],
  ])("rejects an event with %s, with the reason %s, and keeps its cursor", (_, reason, fields) => {
    const frame = read(buildEventFrame(5, fields));
    expect(frame).toMatchObject({ type: "rejected", reason, cursor: { epoch, seq: 5 } });
  });

  it.each([
    ["no seq", { seq: undefined }],
    ["a seq in text", { seq: "5" }],
    ["a negative seq", { seq: -1 }],
    ["a seq that a double cannot represent exactly", { seq: 2 ** 53 }],
    ["an epoch that is not a UUID", { epoch: "x" }],
  ])("rejects an event with %s, and passes on no cursor", (_, fields) => {
    expect(read(buildEventFrame(5, fields))).toMatchObject({
      type: "rejected",
      reason: "cursor",
      cursor: null,
      kind: "chat.message",
    });
  });

  it.each([
    ["", "json"],
    ['{"type":"event","epoch":', "json"],
    ["[]", "json"],
    ["null", "json"],
    ["42", "json"],
    ['{"seq":1}', "type"],
    ['{"type":7}', "type"],
    ['{"type":"gap","from":9,"to":3}', "gap"],
    ['{"type":"live","head":-1}', "live"],
    ['{"type":"plugin","connected":"maybe"}', "plugin"],
    ['{"type":"hello","protocol":8}', "hello"],
  ])("rejects %j with the reason %s", (text, reason) => {
    expect(readFrame(text)).toStrictEqual({
      type: "rejected",
      reason,
      excerpt: text,
      cursor: null,
      kind: null,
    });
  });

  it("accepts a payload of exactly 32 levels and a frame of exactly the maximum size", () => {
    expect(read(buildEventFrame(1, { payload: nested(32) }))).toMatchObject({ type: "event" });
    const text = JSON.stringify(buildEventFrame(1));
    const maxBytes = Buffer.byteLength(text);
    expect(readFrame(text, { maxBytes, depth: 32 })).toMatchObject({ type: "event" });
    expect(readFrame(`${text} `, { maxBytes, depth: 32 })).toMatchObject({ reason: "size" });
  });

  it("rejects lists nested 100,000 levels deep without a stack overflow", () => {
    const lists = "[".repeat(100_000) + "]".repeat(100_000);
    const text = JSON.stringify(buildEventFrame(1)).replace(
      '{"text":"line 1"}',
      `{"deep":${lists}}`,
    );
    expect(readFrame(text)).toMatchObject({ reason: "depth", cursor: { epoch, seq: 1 } });
  });

  it("replaces NUL and lone surrogates with U+FFFD, in values and keys", () => {
    const text = JSON.stringify(buildEventFrame(1)).replace(
      '"text":"line 1"',
      String.raw`"a\u0000b":["\ud800x","\uDC00","\ud83d\ude00","\\u0000"],"__proto__":{"c":"\u0000"}`,
    );
    const { payload } = readFrame(Buffer.from(text)) as EventFrame;
    expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
    expect(JSON.stringify(payload)).toBe(
      '{"a\uFFFDb":["\uFFFDx","\uFFFD","\u{1F600}","\\\\u0000"],"__proto__":{"c":"\uFFFD"}}',
    );
  });

  it("replaces bytes that are not UTF-8 with U+FFFD", () => {
    const text = Buffer.from(JSON.stringify(buildEventFrame(1)));
    text[text.indexOf("line")] = 0xff;
    expect(readFrame(text)).toMatchObject({ payload: { text: "\uFFFDine 1" } });
  });

  it("keeps a short excerpt of a rejected frame, in characters that a database can store", () => {
    const frame = readFrame(`\0${"\u{1F600}".repeat(400)}`);
    expect(frame).toMatchObject({ reason: "json" });
    const excerpt = "excerpt" in frame ? frame.excerpt : "";
    expect(excerpt).toBe(`\uFFFD${"\u{1F600}".repeat(255)}\uFFFD`);
  });

  it("never throws, and returns only storable texts and a bounded excerpt", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const frame = readFrame(text);
        const excerpt = frame.type === "rejected" ? frame.excerpt : "";
        expect(excerpt.length).toBeLessThanOrEqual(512);
        expect(textsOf(frame).filter(isUnstorable)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads an event if and only if each of its fields is valid", () => {
    fc.assert(
      fc.property(oddEvent, (sent) => {
        const frame = readFrame(Buffer.from(JSON.stringify(sent)));
        expect(frame.type === "event").toBe(keepsAllRules(sent));
        const hasPlace = isUuid(sent["epoch"]) && isNatural(sent["seq"]);
        expect(frame.type === "rejected" && frame.cursor === null).toBe(
          !hasPlace && !isOther(sent),
        );
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("rejectEvent", () => {
  it("turns an event into a rejected frame with the same cursor", () => {
    const frame = toRejectedFrame(
      read(buildEventFrame(3)) as EventFrame,
      "schema",
      "text must be a string",
    );
    expect(frame).toStrictEqual({
      type: "rejected",
      reason: "schema",
      detail: "text must be a string",
      excerpt: expect.stringContaining('"text":"line 3"'),
      cursor: { epoch, seq: 3 },
      kind: "chat.message",
    });
  });

  it("truncates a long detail to its first 512 characters", () => {
    const long = "x".repeat(200_000);
    const { detail } = toRejectedFrame(
      read(buildEventFrame(3)) as EventFrame,
      "schema",
      `${long} is wrong`,
    );
    expect(detail).toBe("x".repeat(512));
  });
});

const isUnstorable = (text: string) => text.includes("\0") || !text.isWellFormed();
const knownTypes = ["event", "hello", "live", "gap", "plugin"];

/** Frames of unknown types are valid, because a later version may send them. */
const isOther = ({ type }: Record<string, unknown>) =>
  typeof type === "string" && !knownTypes.includes(type);

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

const isNatural = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isUuid = (value: unknown) => typeof value === "string" && value.length === 36;
const isKey = (value: unknown, max: number) =>
  value === undefined || value === null || (typeof value === "string" && value.length <= max);

const isBootId = (value: unknown) => isKey(value, 64) && isPlainText(String(value));

function keepsAllRules(sent: Record<string, unknown>): boolean {
  const { kind, payload } = sent;
  return (
    sent["type"] === "event" &&
    isUuid(sent["epoch"]) &&
    isNatural(sent["seq"]) &&
    typeof kind === "string" &&
    /^[a-z][a-z0-9._-]{0,63}$/.test(kind) &&
    (isNatural(sent["t"]) || sent["t"] === 2 ** 53) &&
    isBootId(sent["bootId"]) &&
    isKey(sent["eventKey"], 256) &&
    typeof payload === "object" &&
    payload !== null &&
    !Array.isArray(payload)
  );
}

/** Generates the correct value most of the time, so that often only one field breaks a rule. */
const mostly = (right: unknown) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, -1, 1.5, 2 ** 53, "", "A b", "k".repeat(300)),
    },
  );

const oddEvent = fc.record({
  type: mostly("event"),
  epoch: mostly(epoch),
  seq: mostly(5),
  bootId: mostly(bootId),
  eventKey: mostly("sale:1"),
  kind: mostly("vendor.sale"),
  t: mostly(1_764_200_000_000),
  replay: mostly(false),
  payload: mostly({ text: "x" }),
}) as fc.Arbitrary<Record<string, unknown>>;

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json({ stringUnit: "binary" }),
  fc.string().map((text) => JSON.stringify(buildEventFrame(1, { payload: { text } }))),
  fc
    .tuple(fc.json({ maxDepth: 2 }), fc.constantFrom("event", "hello", "gap", "live", "plugin"))
    .map(([text, type]) => `{"type":"${type}","seq":1,"payload":${text},"kind":${text}}`),
  fc
    .tuple(fc.nat({ max: 400 }), fc.constantFrom(String.raw`\u0000`, String.raw`\ud800`, "\0"))
    .map(([at, bad]) => {
      const text = JSON.stringify(buildEventFrame(1));
      return text.slice(0, at) + bad + text.slice(at);
    }),
);
