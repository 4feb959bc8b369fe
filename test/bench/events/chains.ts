import type { PgBoss } from "pg-boss";

import { waitUntil } from "../../support/clock/wait.ts";
import {
  bareChain,
  bareSchema,
  bareSingle,
  type FloorChainJob,
  createFloorPgBoss,
} from "../jobs/bare-boss.ts";
import { BenchProgram } from "../parts/remote.ts";
import type { EventBenchSite } from "./stage.ts";

/**
 * The program to compare with: pg-boss without the service. Each job calls the shard and sends the next job of
 * its chain.
 */
export class FloorJobChains {
  readonly #stage: EventBenchSite;
  readonly #boss: PgBoss;
  readonly #worker: BenchProgram;
  #sent = 0;

  private constructor(stage: EventBenchSite, boss: PgBoss, worker: BenchProgram) {
    this.#stage = stage;
    this.#boss = boss;
    this.#worker = worker;
  }

  static async start(databaseUrl: string, stage: EventBenchSite): Promise<FloorJobChains> {
    const environment = { DATABASE_URL: databaseUrl, SHARD_URL: stage.shardUrl };
    const worker = await BenchProgram.start("jobs/bare-chain-worker.ts", environment);
    const boss = createFloorPgBoss(databaseUrl);
    await boss.start();
    return new FloorJobChains(stage, boss, worker);
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false });
    await this.#worker.stop();
  }

  /** Sends the first job of each chain. @returns the times of the effects and the due times */
  async run(
    count: number,
    { steps = 1, dueAt = () => Date.now(), fails = false }: ChainOptions = {},
  ): Promise<ExecutedChainJob[]> {
    const name = `bare:${++this.#sent}:`;
    for (let at = 0; at < count; at++) {
      const due = dueAt(at);
      const job: FloorChainJob = { key: `${name}${at}.`, left: steps - 1, dueAt: due, fails };
      const later = due > Date.now() ? { startAfter: new Date(due) } : {};
      const again = fails ? { retryLimit: 2, retryDelay: 1 } : {};
      await this.#boss.send(bareChain, job, { ...later, ...again });
    }
    const isDone = async (): Promise<boolean> => (await this.#jobs(name)).length === count * steps;
    await waitUntil("every chain is done", isDone, 120_000);
    const acted = await this.#stage.effects(name);
    const jobs = await this.#jobs(name);
    return jobs.map(({ key, dueAt: sentAt, startAfter }) => ({
      isFirst: /^bare:\d+:\d+\.$/.test(key),
      dueAt: Math.max(sentAt, startAfter),
      actedAt: acted.get(key) ?? Number.NaN,
    }));
  }

  /**
   * Runs jobs one after another on a queue that admits one at a time.
   * @returns the delays of their starts
   */
  async runSingles(count: number): Promise<number[]> {
    const begun: number[] = [];
    for (let at = 0; at < count; at++) {
      const id = await this.#boss.send(bareSingle, {}, { singletonKey: "bench" });
      begun.push(await measureStartDelay(id, `${bareSchema}.job`, this.#stage));
    }
    return begun;
  }

  /** Reads the completed jobs, each with its due time and the time before which it could not start. */
  #jobs(name: string): Promise<(FloorChainJob & { startAfter: number })[]> {
    return this.#stage.rows<FloorChainJob & { startAfter: number } & Record<string, unknown>>(
      `select data ->> 'key' as key, (data ->> 'dueAt')::float8 as "dueAt", 0 as left,
         extract(epoch from start_after)::float8 * 1000 as "startAfter"
       from ${bareSchema}.job as bench_jobs
       where name = $1 and state = 'completed' and starts_with(data ->> 'key', $2)`,
      [bareChain, name],
    );
  }
}

export interface ExecutedChainJob {
  /** True for the first job of its chain. */
  readonly isFirst: boolean;
  readonly dueAt: number;
  readonly actedAt: number;
}

interface ChainOptions {
  readonly steps?: number;
  readonly dueAt?: (at: number) => number;
  /** True if the first attempt of each job fails. */
  readonly fails?: boolean;
}

/** Waits until the job has ended. @returns the milliseconds from its creation to its start */
export async function measureStartDelay(
  id: string | null,
  table: string,
  stage: EventBenchSite,
): Promise<number> {
  const read = () =>
    stage.rows<{ begun: number }>(
      `select extract(epoch from started_on - created_on)::float8 * 1000 as begun
       from ${table} as bench_job where id = $1 and state = 'completed'`,
      [id],
    );
  await waitUntil("the job is done", async () => (await read()).length === 1);
  return (await read())[0]?.begun ?? Number.NaN;
}
