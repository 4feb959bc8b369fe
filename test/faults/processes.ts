import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../simulator/random.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import type { DatabaseReader } from "./check-states.ts";

export async function restartProgram(
  one: ChildProgram,
  how: "kill" | "stop",
  random: RandomSource,
): Promise<void> {
  await (how === "kill" ? one.kill() : one.stop());
  await sleep(random.int(0, 1_500));
  await one.start();
}

/** Kills all processes, then starts them together. */
export async function restartPrograms(
  all: readonly ChildProgram[],
  random: RandomSource,
): Promise<void> {
  await Promise.all(all.map((one) => one.kill()));
  await sleep(random.int(0, 1_000));
  await Promise.all(all.map((one) => one.start()));
}

export async function pauseProgram(one: ChildProgram, ms: number): Promise<void> {
  one.pause();
  await sleep(ms);
  one.resume();
}

/**
 * Ends connections to the database.
 * @param which a condition on `pg_stat_activity` that selects the connections
 */
export async function cutConnections(which: string, read: DatabaseReader): Promise<void> {
  await read(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${which}`,
  );
}
