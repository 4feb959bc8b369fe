import { readFrame } from "../../../shared/platform/bridge/frame.ts";
import type {
  Cursor,
  EventFrame,
  GapFrame,
  HelloFrame,
  ReplayEndFrame,
} from "../../../shared/platform/bridge/frames.ts";
import {
  isObject,
  type JsonObject,
  parseDeepObject,
} from "../../../shared/platform/bridge/json-text.ts";
import { StreamSequence } from "../../../shared/platform/bridge/socket/sequence.ts";
import type { EventJudge } from "../payloads/event-judge.ts";
import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { ResultRecorder } from "../report/report.ts";
import type { BridgeRequirement } from "./requirements.ts";
import type { FrameReceiver } from "./sidecar-stream.ts";

/** The frames that a connection has received. */
export interface ReceivedFrames {
  readonly hello: HelloFrame | null;
  readonly live: ReplayEndFrame | null;
  readonly gaps: readonly GapFrame[];
  readonly events: readonly { readonly seq: number; readonly isReplay: boolean }[];
}

/** Checks the frames of one connection as they arrive. */
export class FrameJudge implements FrameReceiver {
  readonly #report: ResultRecorder<BridgeRequirement>;
  readonly #events: EventJudge;
  readonly #sequence = new StreamSequence();
  readonly #heard = {
    hello: null as HelloFrame | null,
    live: null as ReplayEndFrame | null,
    gaps: [] as GapFrame[],
    events: [] as { seq: number; isReplay: boolean }[],
  };
  readonly #protocol: number;

  /** @param cursor the cursor with which the connection was requested */
  constructor(
    report: ResultRecorder<BridgeRequirement>,
    events: EventJudge,
    protocol: number,
    cursor: Cursor | null,
  ) {
    this.#report = report;
    this.#events = events;
    this.#protocol = protocol;
    this.#sequence.resume(cursor);
  }

  get received(): ReceivedFrames {
    return this.#heard;
  }

  receive(text: string, isBinary: boolean): void {
    if (isBinary) return this.#failFrame("a binary frame", text);
    this.#judge(text);
  }

  receiveOversized(): void {
    this.#report.fail("stream.frames", {
      expected: "frames up to 1 MiB",
      got: `a larger frame after ${this.#heard.events.length} events`,
    });
  }

  #judge(text: string): void {
    const frame = readFrame(text);
    const value = parseDeepObject(text);
    if (!this.#heard.hello && frame.type !== "hello") {
      this.#report.fail("stream.hello", {
        expected: "hello, with all its fields, before any other frame",
        got: `a frame of the type ${formatValueExcerpt(value?.["type"])}`,
        bytes: excerptOf(text),
      });
    }
    if (value?.["type"] === "event") return this.#judgeEvent(value, text);
    switch (frame.type) {
      case "hello":
        return this.#judgeHello(frame, text);
      case "live":
        return this.#judgeLive(frame, text);
      case "gap":
        this.#heard.gaps.push(frame);
        this.#sequence.announce(frame);
        return this.#report.pass("stream.frames");
      case "plugin":
        return this.#report.pass("stream.frames");
      case "rejected":
        return this.#failFrame(`an invalid frame: ${frame.reason}`, text);
      default:
        return this.#failFrame(`a frame of the type ${formatValueExcerpt(value?.["type"])}`, text);
    }
  }

  #failFrame(got: string, text: string): void {
    const expected = "a JSON text of the type hello, event, live, gap or plugin";
    this.#report.fail("stream.frames", { expected, got, bytes: excerptOf(text) });
  }

  #judgeHello(hello: HelloFrame, text: string): void {
    const isSecond = this.#heard.hello !== null;
    const missing = isSecond ? "no second hello" : helloFault(hello, this.#protocol);
    this.#report.judge("stream.hello", missing === undefined, () => ({
      expected: missing ?? "",
      got: isSecond ? "a second hello on the same connection" : "a hello without this field",
      bytes: excerptOf(text),
    }));
    if (isSecond) return;
    this.#heard.hello = hello;
    this.#sequence.begin(hello);
  }

  #judgeLive(live: ReplayEndFrame, text: string): void {
    const { hello } = this.#heard;
    this.#sequence.endReplay(live.head);
    const reached = this.#sequence.position?.seq ?? (hello ? hello.oldest - 1 : 0);
    const isReached = this.#heard.live === null && reached >= live.head;
    this.#report.judge("stream.replay", isReached, () => ({
      expected: this.#heard.live
        ? "one frame live for each connection"
        : `events and gaps up to ${live.head}`,
      got: `live after ${reached}`,
      bytes: excerptOf(text),
    }));
    this.#report.pass("stream.frames");
    this.#heard.live ??= live;
  }

  #judgeEvent(value: JsonObject, text: string): void {
    const { epoch, bootId, seq, replay } = value;
    const whole = readFrame(text);
    if (typeof epoch === "string" && epoch.toLowerCase() === this.#heard.hello?.epoch) {
      this.#events.accept({ epoch: epoch.toLowerCase(), bootId, value, text });
    } else {
      this.#failFrame(`an event of the epoch ${formatValueExcerpt(epoch)}`, text);
    }
    const isReplay = this.#heard.live === null;
    if (whole.type === "event") this.#judgeReplay(whole, isReplay, text);
    // An invalid event also uses up a `seq`, so check the order of every `seq`.
    if (!Number.isSafeInteger(seq)) return;
    const order = this.#sequence.advanceTo(Number(seq), () => undefined);
    this.#report.judge("stream.sequence", order === "next", () => ({
      expected: `seq ${(this.#sequence.position?.seq ?? 0) + 1}, or a gap before it`,
      got: order === "hole" ? `seq ${Number(seq)}` : `seq ${Number(seq)}, which came before`,
      bytes: excerptOf(text),
    }));
    this.#heard.events.push({ seq: Number(seq), isReplay });
    if (order === "hole") this.#sequence.skipTo(Number(seq), "hole");
    if (!isReplay && replay !== true) this.#report.pass("stream.live");
  }

  #judgeReplay(frame: EventFrame, isReplay: boolean, text: string): void {
    this.#report.judge("stream.order", frame.replay === isReplay, () => ({
      expected: `"replay": ${isReplay} ${isReplay ? "before" : "after"} live`,
      got: `"replay": ${frame.replay}`,
      bytes: excerptOf(text),
    }));
  }
}

/** CATALOGUE of the fields of a hello that the protocol requires but the site does not. */
const helloRules: readonly (readonly [string, (hello: HelloFrame) => boolean])[] = [
  [
    "pluginConnected, true or false",
    ({ details }) => typeof details["pluginConnected"] === "boolean",
  ],
  ["shard { name, version, expansion }", ({ details }) => hasText(details["shard"], "name")],
  ["plugin { version }", ({ details }) => hasText(details["plugin"], "version")],
  [
    "capabilities, a list of words",
    ({ details: { capabilities: listed }, capabilities }) =>
      Array.isArray(listed) && listed.length === capabilities.length,
  ],
  ["t in epoch ms", ({ t }) => t !== null],
];

const hasText = (value: unknown, field: string): boolean =>
  isObject(value) && typeof value[field] === "string";

/** Returns the first field of a hello that is missing or wrong; undefined if there is none. */
function helloFault(hello: HelloFrame, wanted: number): string | undefined {
  if (hello.protocol !== wanted) return `protocol ${wanted}`;
  return helloRules.find(([, holds]) => !holds(hello))?.[0];
}
