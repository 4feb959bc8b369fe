import type { Call } from "../site/call.ts";
import type { CallObserver } from "../site/site.ts";
import { BatchWatch } from "./batches.ts";
import type { WatchContext } from "./context.ts";
import { judgeFirstCall, judgeHello } from "./hellos.ts";
import { judgeOutcome } from "./outcomes.ts";
import { RefusalWatch } from "./refusals.ts";
import { judgeBody, judgeHeaders } from "./transport.ts";
import { CommandPollWatch } from "./waits.ts";

/** Checks every call of a plugin as it arrives. */
export class CallWatch implements CallObserver {
  readonly #watched: WatchContext;
  readonly batches: BatchWatch;
  readonly #waits: CommandPollWatch;
  readonly #refusals: RefusalWatch;

  constructor(watched: WatchContext) {
    this.#watched = watched;
    this.batches = new BatchWatch(watched);
    this.#waits = new CommandPollWatch(watched);
    this.#refusals = new RefusalWatch(watched);
  }

  /** Stops expecting calls until the plugin has called again. */
  stop(): void {
    this.#waits.stop();
  }

  begun(call: Call): void {
    judgeHeaders(call, this.#watched);
    judgeFirstCall(call, this.#watched);
    this.#refusals.begun(call);
    if (call.endpoint === "events") this.batches.begun(call);
    if (call.endpoint === "wait") this.#waits.begun(call);
  }

  arrived(call: Call): void {
    judgeBody(call, this.#watched);
    if (call.endpoint === "hello") judgeHello(call, this.#watched);
    if (call.endpoint === "events") this.batches.arrived(call);
    if (call.endpoint === "outcome") judgeOutcome(call, this.#watched);
  }

  answered(call: Call): void {
    this.#refusals.answered(call);
    if (call.endpoint === "wait") this.#waits.answered(call);
    if (call.endpoint === "hello" || call.endpoint === "events") this.batches.answered(call);
  }
}
