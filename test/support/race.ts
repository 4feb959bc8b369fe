import { jest } from "@jest/globals";

import { atOnce, type RacedAnswer, type RacedRequest } from "./at-once.ts";
import type { TestDatabase } from "./database.ts";
import { type ApiProcess, startApiProcess } from "./processes.ts";
import { clockOffBy } from "./shifted-clock.ts";

export type Race = Omit<RacedRequest, "url">;

/** Two real API processes on one database, between which requests race; one's clock is 3 s behind. */
export class RaceTrack {
  readonly #processes: readonly ApiProcess[];

  private constructor(processes: readonly ApiProcess[]) {
    this.#processes = processes;
  }

  static async start(database: TestDatabase, environment: NodeJS.ProcessEnv): Promise<RaceTrack> {
    const start = (others: NodeJS.ProcessEnv = {}) =>
      startApiProcess(database, { ...environment, ...others });
    return new RaceTrack(await Promise.all([start(), start(clockOffBy(-3_000))]));
  }

  /** Runs the requests at once, every other one in the other process. */
  run(requests: readonly Race[]): Promise<RacedAnswer[]> {
    const urlOf = (index: number): string => this.#processes[index % 2]?.url ?? "";
    return atOnce(requests.map((request, index) => ({ ...request, url: urlOf(index) })));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
  }
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const winners = (answers: readonly RacedAnswer[]): RacedAnswer[] =>
  answers.filter(({ status }) => status === 200 || status === 201);

/** How many answers had which status. */
export const counts = (answers: readonly Pick<RacedAnswer, "status">[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

/** `RACE_ROUNDS`: a run that looks longer has each race run that often. */
const asked = Number(process.env["RACE_ROUNDS"] ?? 0);
if (asked > 0) jest.setTimeout(asked * 60_000);

/** How often a race is run: a few times in every run of the suite. */
export const roundsOf = (few: number): number => Math.max(few, asked);

/** Runs a race once in every run of the suite. */
export const inRounds =
  <Given extends unknown[]>(race: (round: number, ...given: Given) => Promise<void>) =>
  async (...given: Given): Promise<void> => {
    for (let round = 0; round < roundsOf(1); round += 1) await race(round, ...given);
  };
