import { findDueSteps } from "../../shared/events/engine/due.ts";
import { runStep } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { addReadRevision } from "../support/http/as-read.ts";
import type { ApiAnswer } from "../support/http/call.ts";
import {
  type LinkedShard,
  type LinkedShardOptions,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

export interface Run {
  readonly id: number;
  readonly status: string;
  readonly health: string;
  readonly currentPhase: string | null;
  readonly startedBy: number | null;
  readonly lastError: string | null;
}

export interface Step {
  readonly id: number;
  readonly status: string;
  readonly parked: boolean;
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly params: object;
  readonly lastError: string | null;
}

export interface RunDetailAnswer {
  readonly run: Run;
  readonly steps: readonly Step[];
  readonly budget: readonly { readonly dimension: string; readonly spent: number }[];
}

interface Publishing extends Readonly<Record<string, unknown>> {
  readonly spec?: object;
  readonly by?: SignedIn;
}

const signal = new AbortController().signal;

/** Runs events for a test. There is no worker: the test executes the steps itself. */
export class EventTestSite {
  readonly shard: LinkedShard;
  readonly admin: SignedIn;
  readonly editor: SignedIn;
  #events = 0;

  private constructor(shard: LinkedShard, admin: SignedIn, editor: SignedIn) {
    this.shard = shard;
    this.admin = admin;
    this.editor = editor;
  }

  static async start(options: LinkedShardOptions = {}): Promise<EventTestSite> {
    const shard = await startLinkedShard(options);
    const admin = await signIn(shard.server, { role: "admin" });
    return new EventTestSite(shard, admin, await signIn(shard.server, { role: "editor" }));
  }

  stop(): Promise<void> {
    return this.shard.stop();
  }

  /** Sends a request. For a change, reads the current revision first and adds it to the body. */
  async as(who: SignedIn, route: string, body?: unknown): Promise<ApiAnswer> {
    const given = await addReadRevision(route, body, (read) => this.shard.as(this.admin, read));
    return this.shard.as(who, route, given === undefined ? {} : { body: given });
  }

  /**
   * Sends a request.
   * @returns the body of the answer
   * @throws if the answer is not a success; the error contains it
   */
  async ask<T>(route: string, body?: object, who: SignedIn = this.admin): Promise<T> {
    const answered = await this.as(who, route, body);
    if (answered.status >= 300) throw new Error(`${route}: ${answered.text}`);
    return answered.body as T;
  }

  /**
   * Publishes an event. Its steps form one phase, unless phases are given.
   * @returns the event's id
   */
  async publishEvent(
    steps: readonly object[],
    { spec = {}, by = this.admin, ...more }: Publishing = {},
  ): Promise<number> {
    const keyed = steps.map((step, place) => ({ key: `s${place}`, ...step }));
    const phases = [{ key: "one", title: "One", steps: keyed }];
    const given = { title: `Event ${++this.#events}`, spec: { phases, ...spec }, ...more };
    const made = await this.ask<{ event: { id: number } }>("POST /admin/events", given, by);
    await this.ask(`POST /admin/events/${made.event.id}/publish`);
    return made.event.id;
  }

  /** Creates a run of an event and starts due runs. @returns the run's id */
  async startEvent(eventId: number, body: object = {}, by = this.admin): Promise<number> {
    const route = `POST /admin/events/${eventId}/runs`;
    const { run } = await this.ask<{ run: Run }>(route, body, by);
    await sweepRuns(this.shard.server.context);
    return run.id;
  }

  read(runId: number): Promise<RunDetailAnswer> {
    return this.ask(`GET /admin/events/runs/${runId}`);
  }

  async kindsOf(runId: number): Promise<string[]> {
    const { log } = await this.ask<{ log: { kind: string }[] }>(
      `GET /admin/events/runs/${runId}/log?limit=1000`,
    );
    return log.map(({ kind }) => kind);
  }

  /** Executes the steps that are due, until none is. */
  async runDueSteps(): Promise<void> {
    const { context } = this.shard.server;
    for (;;) {
      await sweepRuns(context);
      const due = await findDueSteps(context.sequelize, 50);
      if (due.length === 0) return;
      for (const stepId of due) await runStep(stepId, context, signal);
    }
  }

  /** Returns the commands that the shard received for a step. */
  commandsOf({ idempotencyKey }: Step) {
    return this.shard.simulator.received.commands.filter(({ key }) => key === idempotencyKey);
  }

  rows<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
    return query<Row>(this.shard.server, text, ...values);
  }

  enable(actionId: string, enabled: boolean, caps?: object): Promise<unknown> {
    return this.ask("PUT /admin/events/actions", { actionId, enabled, ...(caps && { caps }) });
  }
}

export const buildBroadcastStep = (text: string, more: object = {}) => ({
  actionId: "shard.broadcast",
  params: { text },
  ...more,
});

export const confirm = { actionId: "core.confirm", params: {} };
