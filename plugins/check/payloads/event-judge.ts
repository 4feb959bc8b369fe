import { createHash } from "node:crypto";

import { readFrame } from "../../../shared/platform/bridge/frame.ts";
import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import { type JsonObject, nestsDeeper } from "../../../shared/platform/bridge/json-text.ts";
import { limits } from "../../../shared/platform/limits.ts";
import { findSurvivalKind } from "../../../shared/survival/kinds/kinds.ts";
import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { ResultRecorder } from "../report/report.ts";
import type { EventRequirement } from "./event-requirements.ts";
import { type Game, findPayloadFaults, schemaOf } from "./payload-faults.ts";
import { SnapshotTracker } from "./snapshots.ts";

export interface SentEvent {
  readonly epoch: string;
  /** The `bootId` of the call, for events without their own. */
  readonly bootId: unknown;
  readonly value: JsonObject;
  /** The event's JSON text as it was sent. */
  readonly text: string;
}

interface SeenEvent {
  readonly hash: string;
  readonly excerpt: string;
}

/** Checks events, and compares repeated events with those sent before. */
export class EventJudge {
  readonly #report: ResultRecorder<EventRequirement>;
  readonly #game: Game;
  readonly #mayKeepLess: boolean;
  readonly #seen = new Map<string, SeenEvent>();
  readonly #keys = new Map<string, SeenEvent>();
  readonly #kinds = new Map<string, number>();
  readonly #snapshots = new SnapshotTracker();
  #epoch = "";

  /** @param mayKeepLess true if a repeated event may be shorter, because the state that it reports is outdated */
  constructor(report: ResultRecorder<EventRequirement>, game: Game, mayKeepLess = false) {
    this.#report = report;
    this.#game = game;
    this.#mayKeepLess = mayKeepLess;
  }

  /** The number of distinct events by kind. */
  get kinds(): ReadonlyMap<string, number> {
    return this.#kinds;
  }

  /** Checks an event. @returns the parsed event, or undefined if it is invalid or was sent before */
  accept(sent: SentEvent): EventFrame | undefined {
    const { epoch, bootId, value, text } = sent;
    if (epoch !== this.#epoch) this.#snapshots.clear();
    this.#epoch = epoch;
    // Check the depth first, because serializing a deep value would overflow the stack.
    const isDeep = nestsDeeper(value, limits.jsonDepth + 1);
    const frame = isDeep
      ? undefined
      : readFrame(JSON.stringify({ bootId, ...value, type: "event", epoch }));
    if (frame?.type !== "event") {
      const reason = frame?.type === "rejected" ? frame.reason : "depth";
      this.#report.fail("events.envelope", {
        expected: "a valid event",
        got: envelopeFaults[reason] ?? `an invalid ${reason}`,
        bytes: excerptOf(text),
      });
      return undefined;
    }
    this.#report.pass("events.envelope");
    if (this.#isAgain(frame, text)) return undefined;
    this.#kinds.set(frame.kind, (this.#kinds.get(frame.kind) ?? 0) + 1);
    this.#judgePayload(frame, text);
    this.#judgeKey(frame, text);
    return frame;
  }

  #isAgain(frame: EventFrame, text: string): boolean {
    const place = `${frame.epoch} ${frame.seq}`;
    const hash = hashOf(frame);
    const before = this.#seen.get(place);
    this.#seen.set(place, before ?? { hash, excerpt: excerptOf(text).slice(0, 200) });
    if (!before) return false;
    const isState = this.#game === "rust" && findSurvivalKind(frame.kind)?.isEvent === false;
    if (this.#mayKeepLess && isState) return true;
    this.#report.judge("events.unchanged", before.hash === hash, () => ({
      expected: `seq ${frame.seq} as it was sent before: ${before.excerpt}`,
      got: "another event with this seq",
      bytes: excerptOf(text),
    }));
    return true;
  }

  #judgePayload({ kind, payload }: EventFrame, text: string): void {
    const schema = schemaOf(this.#game, kind);
    this.#report.judge("payloads.kinds", schema !== undefined, () => ({
      expected: "a kind that the site knows",
      got: `kind ${formatValueExcerpt(kind)}`,
      bytes: excerptOf(text),
    }));
    if (!schema) return;
    const faults = findPayloadFaults(schema, payload);
    for (const { path, message, value } of faults) {
      this.#report.fail("payloads.fields", {
        expected: `${kind}: ${message}`,
        got: `${path} is ${formatValueExcerpt(value)}`,
        bytes: excerptOf(text),
      });
    }
    if (faults.length === 0) this.#report.pass("payloads.fields");
    if (this.#game === "uo") this.#followSnapshot(kind, payload, text);
  }

  #followSnapshot(kind: string, payload: JsonObject, text: string): void {
    const step = this.#snapshots.accept(kind, payload);
    if (!step) return;
    if ("whole" in step) return this.#report.pass("snapshots.whole");
    this.#report.fail("snapshots.whole", {
      expected: "a begin, each page once, an end, and as many rows as the begin says",
      got: step.wrong,
      bytes: excerptOf(text),
    });
  }

  #judgeKey(frame: EventFrame, text: string): void {
    const { epoch, kind, eventKey, payload } = frame;
    const declared = this.#game === "rust" ? findSurvivalKind(kind) : undefined;
    if (eventKey === null || declared?.isEvent === false) {
      return this.#report.skip("events.keys", "no event has an eventKey");
    }
    const more = declared?.keyedWith ? JSON.stringify(payload[declared.keyedWith]) : "";
    const name = JSON.stringify([epoch, kind, eventKey, more]);
    const hash = hashOf({ ...frame, seq: 0, t: 0 });
    const before = this.#keys.get(name);
    this.#keys.set(name, before ?? { hash, excerpt: excerptOf(text).slice(0, 200) });
    this.#report.judge("events.keys", !before || before.hash === hash, () => ({
      expected: `one fact under the key ${formatValueExcerpt(eventKey)}: ${before?.excerpt ?? ""}`,
      got: "another event with this key",
      bytes: excerptOf(text),
    }));
  }
}

const envelopeFaults: Readonly<Record<string, string>> = {
  json: "a value that is not a JSON object",
  size: "more than 256 KiB",
  depth: "a payload that is nested deeper than 32 levels",
  cursor: "a seq that is not an integer, or an epoch that is not a UUID",
  kind: "a kind that does not match ^[a-z][a-z0-9._-]{0,63}$",
  t: "t that is not an integer from 0 to 2^53",
  payload: "a payload that is not an object",
};

const hashOf = ({ seq, kind, t, bootId, eventKey, saveId, payload }: EventFrame): string =>
  createHash("sha256")
    .update(toCanonicalJson([seq, kind, t, bootId, eventKey, saveId ?? null, payload]))
    .digest("base64");

/** Serializes a value to JSON with sorted fields. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  );
}
