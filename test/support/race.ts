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

  /** Asks each process the same. */
  inEach(request: Race): Promise<RacedAnswer[]> {
    return this.run(this.#processes.map(() => request));
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

/**
 * Runs a race a few times in every run of the suite, each time with data of its own. Declares how
 * long it may take: what one file has declared does not hold for the next in the same process.
 */
export function inRounds<Given extends unknown[]>(
  race: (round: number, ...given: Given) => Promise<void>,
  few = 1,
): (...given: Given) => Promise<void> {
  const rounds = Math.max(few, asked);
  if (asked > 0) jest.setTimeout(Math.max(asked, 10) * 60_000);
  return async (...given) => {
    for (let round = 0; round < rounds; round += 1) await race(round, ...given);
  };
}
