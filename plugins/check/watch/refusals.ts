import { excerptOf } from "../report/excerpt.ts";
import type { Call, Endpoint } from "../site/call.ts";
import { formatSeconds, type WatchContext } from "./context.ts";

/**
 * Calls within this time after a refusal are accepted: other threads may have begun them before the refusal
 * arrived.
 */
const graceMs = 1_000;

/** Tolerance for a difference between the clocks of two processes. */
const clockMs = 100;

const afterSentences = { events: "resend.after", wait: "waits.after" } as const;

interface RetryPause {
  readonly answeredMs: number;
  readonly untilMs: number;
}

/** Checks the call after a refusal: it must be a hello after a 409, and come after a pause if Retry-After was set. */
export class RefusalWatch {
  readonly #watched: WatchContext;
  readonly #notBefore = new Map<Endpoint, RetryPause>();
  readonly #tolerated = new Set<Endpoint>();
  #helloOwedMs: number | null = null;

  constructor(watched: WatchContext) {
    this.#watched = watched;
  }

  begun(call: Call): void {
    const { endpoint } = call;
    if (endpoint === "events" || endpoint === "wait") {
      this.#judgePause(call, endpoint);
      this.#judgeConflict(call);
    }
    if (endpoint !== "hello") return;
    if (this.#helloOwedMs !== null) this.#watched.report.pass("conflict.next");
    this.#helloOwedMs = null;
  }

  answered({ endpoint, answer }: Call): void {
    if (typeof answer !== "object") return;
    const { status, headers = {}, body = {} } = answer;
    const after = headers["retry-after"];
    const now = performance.now();
    if (after !== undefined) {
      this.#notBefore.set(endpoint, { answeredMs: now, untilMs: now + Number(after) * 1_000 });
    }
    if (status !== 409 || ("code" in body && body.code === "SUPERSEDED")) return;
    if (this.#helloOwedMs === null) this.#tolerated.clear();
    this.#helloOwedMs ??= now;
  }

  #judgePause(call: Call, endpoint: keyof typeof afterSentences): void {
    const pause = this.#notBefore.get(endpoint);
    if (!pause || call.startedMs < pause.answeredMs) return;
    this.#notBefore.delete(endpoint);
    const { answeredMs, untilMs } = pause;
    const isObeyed = call.startedMs >= untilMs - clockMs;
    this.#watched.report.judge(afterSentences[endpoint], isObeyed, () => ({
      expected: `no such call for ${formatSeconds(untilMs - answeredMs)}, as Retry-After says`,
      got: `the next call after ${formatSeconds(call.startedMs - answeredMs)}`,
      bytes: excerptOf(call.line),
    }));
  }

  #judgeConflict(call: Call): void {
    const owedMs = this.#helloOwedMs;
    if (owedMs === null || call.startedMs < owedMs) return;
    const isTolerated = call.startedMs < owedMs + graceMs && !this.#tolerated.has(call.endpoint);
    this.#tolerated.add(call.endpoint);
    if (isTolerated) return;
    this.#watched.report.fail("conflict.next", {
      expected: "POST /hello, because a call was answered 409",
      got: `another call ${formatSeconds(call.startedMs - owedMs)} after the 409`,
      bytes: excerptOf(call.line),
    });
  }
}
