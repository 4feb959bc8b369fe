import { excerptOf } from "../report/excerpt.ts";
import type { Call } from "../site/call.ts";
import { earlierCalls, formatSeconds, wasUnanswered, type WatchContext } from "./context.ts";

/** The maximum time between the answer to a poll and the next poll. */
const soonMs = 5_000;

export class CommandPollWatch {
  readonly #watched: WatchContext;
  #due: NodeJS.Timeout | undefined;

  constructor(watched: WatchContext) {
    this.#watched = watched;
  }

  /** Stops expecting a poll until the plugin has polled again. */
  stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  begun(call: Call): void {
    const { report } = this.#watched;
    if (this.#due) report.pass("waits.next");
    this.stop();
    const open = earlierCalls(this.#watched, call).find((one) =>
      wasUnanswered(one, call.startedMs),
    );
    report.judge("waits.one", open === undefined, () => ({
      expected: "no GET /commands while another one has no answer",
      got: `call ${call.number} began while call ${open?.number} was open`,
      bytes: excerptOf(call.line),
    }));
    const wait = call.url.searchParams.get("wait") ?? "25";
    report.judge("waits.form", /^\d{1,9}$/.test(wait), () => ({
      expected: "wait=25",
      got: `wait=${wait}`,
      bytes: excerptOf(call.line),
    }));
    void call.ended.then(() => this.#judgePatience(call));
  }

  answered(call: Call): void {
    if (call.status !== 200) return;
    this.stop();
    this.#due = setTimeout(() => this.#judgeAbsence(call), soonMs);
    this.#due.unref();
  }

  #judgeAbsence(call: Call): void {
    this.#due = undefined;
    if (this.#watched.isPaused() || this.#watched.memory().needsHello) return;
    this.#watched.report.fail("waits.next", {
      expected: `GET /commands within ${formatSeconds(soonMs)} after the last answer`,
      got: "none",
      bytes: `after ${excerptOf(call.line)}`,
    });
  }

  #judgePatience(call: Call): void {
    if (!call.isGone || this.#watched.isPaused()) return;
    this.#watched.report.fail("waits.held", {
      expected: "the plugin keeps the connection open until the site answers, for up to 25 s",
      got: `it closed the connection after ${formatSeconds((call.endedMs ?? 0) - call.startedMs)}`,
      bytes: excerptOf(call.line),
    });
  }
}
