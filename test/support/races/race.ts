import { vi } from "vitest";

import { buildShiftedClockEnv } from "../clock/shifted-clock.ts";
import type { TestDatabase } from "../database/database.ts";
import { isLongLane } from "../runner/lane.ts";
import { startApiProcess } from "../service/processes.ts";
import { startTestServer } from "../service/server.ts";
import { sendSimultaneously, type RacedAnswer, type RacedRequest } from "./at-once.ts";

export type Race = Omit<RacedRequest, "url">;

/** A process, or a server in the test process, that gets racing requests. */
interface Service {
  readonly url: string;
  stop(): Promise<unknown>;
}

/**
 * Two API servers on one database that get racing requests. In the long lane they are processes,
 * and the clock of one is 3 s behind. In the main lane both run in the test process.
 */
export class RaceServers {
  readonly #services: readonly Service[];

  private constructor(services: readonly Service[]) {
    this.#services = services;
  }

  static async start(database: TestDatabase, environment: NodeJS.ProcessEnv): Promise<RaceServers> {
    const start = (others: NodeJS.ProcessEnv = {}): Promise<Service> =>
      isLongLane
        ? startApiProcess(database, { ...environment, ...others })
        : startTestServer({ database, environment });
    return new RaceServers(await Promise.all([start(), start(buildShiftedClockEnv(-3_000))]));
  }

  /** Sends the requests at the same time, to both servers in turn. */
  run(requests: readonly Race[]): Promise<RacedAnswer[]> {
    const urlOf = (index: number): string => this.#services[index % 2]?.url ?? "";
    return sendSimultaneously(
      requests.map((request, index) => ({ ...request, url: urlOf(index) })),
    );
  }

  /** Sends the same request to each server. */
  inEach(request: Race): Promise<RacedAnswer[]> {
    return this.run(this.#services.map(() => request));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
  }
}

export const makeList = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const successfulAnswersOf = (answers: readonly RacedAnswer[]): RacedAnswer[] =>
  answers.filter(({ status }) => status === 200 || status === 201);

/** Returns the number of answers, by status. */
export const countStatuses = (
  answers: readonly Pick<RacedAnswer, "status">[],
): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

/**
 * The number of rounds that `RACE_ROUNDS` asks for. For example, `RACE_ROUNDS=30` runs each race 30
 * times.
 */
const asked = Number(process.env["RACE_ROUNDS"] ?? 0);

/**
 * Wraps a race so that it runs several times, and extends the timeouts of the file. Each round
 * creates data of its own.
 * @param few the number of rounds in the long lane; the main lane runs one round
 */
export function repeatRace<Given extends unknown[]>(
  race: (round: number, ...given: Given) => Promise<void>,
  few = 1,
): (...given: Given) => Promise<void> {
  const rounds = Math.max(isLongLane ? few : 1, asked);
  if (asked > 0) vi.setConfig({ testTimeout: Math.max(asked, 10) * 60_000 });
  return async (...given) => {
    for (let round = 0; round < rounds; round += 1) await race(round, ...given);
  };
}
