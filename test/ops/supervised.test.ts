import { describe, expect, it } from "vitest";

import { type RunningService, Supervisor } from "../../jobs/commands/launch/supervisor.ts";
import { waitUntil } from "../support/clock/wait.ts";

/** A process that a test can let end or fail to start. */
class Mortal {
  readonly lives: { die(how: string): void; isStopped: boolean }[] = [];
  /** The error with which further starts fail. Undefined lets them succeed. */
  failing: string | undefined;

  readonly start = async (): Promise<RunningService> => {
    if (this.failing !== undefined) throw new Error(this.failing);
    const ending = Promise.withResolvers<string>();
    const life = { die: ending.resolve, isStopped: false };
    this.lives.push(life);
    const stop = async () => {
      life.isStopped = true;
      ending.resolve("stopped");
    };
    return { ended: ending.promise, stop };
  };
}

function keep(mortal: Mortal) {
  const said: string[] = [];
  const stopping = new AbortController();
  const kept = new Supervisor({
    name: "it",
    start: mortal.start,
    signal: stopping.signal,
    say: (line) => said.push(line),
    firstPauseMs: 4,
  });
  return { kept, said, stopping };
}

describe("a supervised process", () => {
  it("is restarted after it dies, with pauses that double", async () => {
    const mortal = new Mortal();
    const { kept, said } = keep(mortal);
    await kept.start();
    for (const life of [0, 1, 2]) {
      mortal.lives[life]?.die("code 1");
      await waitUntil("it lives again", () => mortal.lives.length === life + 2);
    }
    await waitUntil("it is said", () => said.length === 6);
    expect(said).toEqual([
      "it ended (code 1) and is started again in 0.004 s",
      "it is back",
      "it ended (code 1) and is started again in 0.008 s",
      "it is back",
      "it ended (code 1) and is started again in 0.016 s",
      "it is back",
    ]);
    await kept.stop();
  });

  it("is started again until a restart succeeds, and the reason of each failure is reported", async () => {
    const mortal = new Mortal();
    const { kept, said } = keep(mortal);
    await kept.start();
    mortal.failing = "no database";
    mortal.lives[0]?.die("SIGKILL");
    await waitUntil("starting failed", () => said.some((line) => line.includes("no database")));
    mortal.failing = undefined;
    await waitUntil("it is back", () => said.includes("it is back"));
    expect(said[0]).toBe("it ended (SIGKILL) and is started again in 0.004 s");
    expect(said[1]).toBe("it ended (no database) and is started again in 0.008 s");
    await kept.stop();
    expect(mortal.lives.at(-1)?.isStopped).toBe(true);
  });

  it("is not restarted after it was stopped", async () => {
    const mortal = new Mortal();
    const { kept, said } = keep(mortal);
    await kept.start();
    await kept.stop();
    expect(mortal.lives).toHaveLength(1);
    expect(said).toEqual([]);
  });

  it("is not restarted while the whole service stops", async () => {
    const mortal = new Mortal();
    const { kept, said, stopping } = keep(mortal);
    await kept.start();
    stopping.abort();
    mortal.lives[0]?.die("SIGTERM");
    await kept.stop();
    expect(mortal.lives).toHaveLength(1);
    expect(said).toEqual([]);
  });

  it("is stopped if the service stops during the start of the process", async () => {
    const mortal = new Mortal();
    const { kept, stopping } = keep(mortal);
    const started = kept.start();
    stopping.abort();
    await expect(started).rejects.toThrow("aborted");
    await kept.stop();
    expect(mortal.lives.map(({ isStopped }) => isStopped)).toEqual([true]);
  });

  it("makes the start of the service fail at once if its first start fails", async () => {
    const mortal = new Mortal();
    mortal.failing = "code 1";
    await expect(keep(mortal).kept.start()).rejects.toThrow("code 1");
  });
});
