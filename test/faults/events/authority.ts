import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import type { RandomSource } from "../../simulator/random.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { ShardSimulatorClient } from "../shard.ts";
import type { StaffUser, EventApiClient } from "./staff.ts";

/** A run whose starter lost the permission to execute its steps during the run. */
export interface RevokedRun {
  readonly runId: number;
  readonly way: Way;
  /** True if the permission ended after the first step was claimed and before it was admitted. */
  readonly isAmidStep: boolean;
  /**
   * The highest log id when the API confirmed the loss of the permission, or null if it did not.
   */
  readonly since: number | null;
}

const notify = "shard.towncrier.add";
const world = "shard.champion.start";

interface Ending {
  readonly role: "editor" | "admin";
  readonly actionId: typeof notify | typeof world;
  readonly end: (starter: StaffUser, staff: EventApiClient) => Promise<unknown>;
}

/** CATALOGUE of ways to end the permission of a run over the API. */
const endings = {
  demoted: {
    role: "editor",
    actionId: notify,
    end: ({ userId }, staff) => staff.ask(`PATCH /admin/users/${userId}`, { role: "player" }),
  },
  "below the floor": {
    role: "admin",
    actionId: world,
    end: ({ userId }, staff) => staff.ask(`PATCH /admin/users/${userId}`, { role: "editor" }),
  },
  disabled: {
    role: "editor",
    actionId: notify,
    end: ({ userId }, staff) => staff.ask(`PATCH /admin/users/${userId}`, { disabled: true }),
  },
  deleted: {
    role: "editor",
    actionId: notify,
    end: ({ userId }, staff) => staff.ask(`DELETE /admin/users/${userId}`),
  },
  "switched off": {
    role: "admin",
    actionId: world,
    end: (_, staff) => staff.ask("PUT /admin/events/actions", { actionId: world, enabled: false }),
  },
} as const satisfies Readonly<Record<string, Ending>>;

type Way = keyof typeof endings;
const ways = Object.keys(endings) as Way[];

/**
 * The ways to end a permission that affect only one run, so they can be repeated. The other ways concern an
 * action that all runs use, and "switched off" leaves that action disabled.
 */
const lasting = ways.filter((way) => endings[way].actionId === notify);

interface Scene {
  readonly staff: EventApiClient;
  readonly shard: ShardSimulatorClient;
  readonly databaseUrl: string;
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
}

/**
 * Only the admission of a step reads this table. Claims and changes of permissions do not, so they
 * continue during the lock.
 */
const holding = "lock table event_budgets in access exclusive mode";
const firstStepSeconds = 3;

/** Ends the permissions of runs while their steps are executed. */
export class PermissionRevoker {
  readonly overruled: RevokedRun[] = [];
  readonly #scene: Scene;
  #hired = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /**
   * Starts a run for each way to end a permission. Ends the permission after the first step was
   * claimed and before it has its effect.
   */
  async endAmidSteps(): Promise<void> {
    const { staff, databaseUrl, history } = this.#scene;
    await staff.ask("PUT /admin/events/actions", { actionId: world, enabled: true });
    const client = new Client(databaseUrl);
    await client.connect();
    try {
      const begun = await this.#beginAndHold(client);
      await waitUntil(
        "each run has a step claimed",
        async () => (await this.#countClaimed(begun)) === begun.length,
      );
      for (const { way, starter, runId } of begun) {
        await endings[way].end(starter, staff);
        this.overruled.push({ runId, way, isAmidStep: true, since: await this.#countLines() });
        history.note(`right ended amid a step: ${way}`);
      }
      await client.query("commit");
    } finally {
      await client.end();
    }
  }

  /** Ends the permissions of runs one after another, each at a random moment of its run. */
  async endAtAnyMoment(signal: AbortSignal): Promise<void> {
    const { staff, random, history } = this.#scene;
    while (!signal.aborted) {
      const way = random.pick(lasting);
      try {
        const { starter, runId } = await this.#begin(way);
        await sleep(random.int(0, (firstStepSeconds + 3) * 1_000));
        let since: number | null = null;
        try {
          await endings[way].end(starter, staff);
          since = await this.#countLines();
        } finally {
          this.overruled.push({ runId, way, isAmidStep: false, since });
        }
        history.note(`right ended: ${way}`);
      } catch (error) {
        history.note("a right did not end", { error: String(error) });
        await sleep(200);
      }
    }
  }

  /**
   * Starts runs and locks the admission of steps before the first steps are due. A step that was claimed before
   * the lock may already be admitted; in that case, starts new runs with a longer delay.
   */
  async #beginAndHold(client: Client) {
    for (let seconds = firstStepSeconds; ; seconds *= 2) {
      const begun = await Promise.all(ways.map((way) => this.#begin(way, seconds)));
      await client.query("begin");
      await client.query(holding);
      if ((await this.#countClaimed(begun)) === 0) return begun;
      await client.query("rollback");
      this.#scene.history.note("admissions were held up too late", { seconds });
    }
  }

  async #begin(way: Way, seconds = firstStepSeconds) {
    const { staff } = this.#scene;
    const { role, actionId } = endings[way];
    const number = ++this.#hired;
    const starter = await staff.hire(`starter-${number}`, role);
    const params = await this.#paramsOf(actionId, number);
    const steps = [0, 1, 2].map((place) => ({
      key: `s${place}`,
      actionId,
      params,
      offsetSeconds: seconds + place,
      onFailure: "continue",
      maxAttempts: 20,
    }));
    const phases = [{ key: "only", title: "Only", steps }];
    const eventId = await staff.publish(`Overruled ${number}`, { phases });
    return { way, starter, runId: await staff.start(eventId, {}, starter) };
  }

  async #paramsOf(actionId: string, number: number): Promise<object> {
    if (actionId === notify) return { lines: `overruled ${number}`, durationSec: 60 };
    const { champions } = await this.#scene.shard.world();
    return { id: champions[0]?.id };
  }

  /** Counts runs. @returns the number of runs with a claimed step */
  async #countClaimed(begun: readonly { readonly runId: number }[]): Promise<number> {
    const [row] = await this.#scene.read<{ runs: number }>(
      `select count(distinct run_id)::integer as runs from event_steps
       where run_id = any($1) and attempts > 0`,
      [begun.map(({ runId }) => runId)],
    );
    return row?.runs ?? 0;
  }

  /** Returns the highest log id. Ids always grow, but the clock may jump back. */
  async #countLines(): Promise<number | null> {
    const [row] = await this.#scene.read<{ last: number }>(
      "select last_value::integer as last from event_log_lines_id_seq",
    );
    return row?.last ?? null;
  }
}
