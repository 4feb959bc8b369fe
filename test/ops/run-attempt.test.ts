import Joi from "joi";
import { DatabaseError } from "sequelize";
import { describe, expect, it, vi } from "vitest";

import type { Job } from "../../jobs/job.ts";
import { runAttempt } from "../../jobs/run-attempt.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";

type UnlinkJob = Job<"shard.unlink-user">;

const spec = { payload: Joi.object({ userId: Joi.number().integer().required() }) };

/** Returns an error as the driver throws it. It contains values of the statement. */
const refusedRow = (message: string): DatabaseError =>
  new DatabaseError(
    Object.assign(new Error(message), { sql: "insert into t values ($1)", detail: "secret" }),
  );

/**
 * Runs an attempt at a job with one retry. By default it is the last attempt.
 * @returns what it logged and its error
 */
async function attempt(
  job: Partial<UnlinkJob>,
  { retryCount = 1, data = { userId: 7 } as object },
) {
  const say = () => vi.fn<(fields: object, words: string) => void>();
  const log = { debug: say(), info: say(), warn: say(), error: say() };
  const context = { log: { child: () => log } } as unknown as SiteContext;
  const { signal } = new AbortController();
  const handed = { id: "job-1", data, signal, retryCount, retryLimit: 1, retryDelay: 30 };
  const whole: UnlinkJob = { queue: "shard.unlink-user", run: () => Promise.resolve(), ...job };
  const thrown: unknown = await runAttempt(whole, spec, handed, context).then(
    () => undefined,
    (error: unknown) => error,
  );
  const failures = log.error.mock.calls.map(([, words]) => words);
  return { thrown, failures, fields: log.error.mock.calls[0]?.[0], warned: log.warn.mock.calls };
}

describe("an attempt at a job", () => {
  const run = () => Promise.reject(refusedRow("the row was refused"));

  it("throws the cause of its failure without the values of a database row", async () => {
    const { thrown, failures } = await attempt({ run }, { retryCount: 0 });
    expect(thrown).toMatchObject({ message: "the row was refused" });
    expect(JSON.stringify(thrown)).not.toContain("secret");
    expect(failures).toEqual([]);
  });

  it("is logged as a warning if it fails and another attempt follows, and as an error if the last attempt fails", async () => {
    const first = await attempt({ run }, { retryCount: 0 });
    expect(first.warned).toEqual([
      [
        {
          attempt: 1,
          attempts: 2,
          next: "in 30 seconds to 1 minute",
          reason: "the row was refused",
        },
        "job will be tried again",
      ],
    ]);
    const last = await attempt({ run }, { retryCount: 1 });
    expect([last.warned, last.failures]).toEqual([[], ["job failed"]]);
    expect(last.fields).toMatchObject({ attempt: 2, attempts: 2, err: expect.any(Error) });
  });

  it("calls onExhausted only if it is the last attempt", async () => {
    const onExhausted = vi.fn<NonNullable<UnlinkJob["onExhausted"]>>();
    await attempt({ run, onExhausted }, { retryCount: 0 });
    expect(onExhausted).not.toHaveBeenCalled();
    await attempt({ run, onExhausted }, {});
    expect(onExhausted).toHaveBeenCalledTimes(1);
    const [payload, , last] = onExhausted.mock.calls[0] ?? [];
    expect([payload, last?.jobId, last?.cause]).toEqual([
      { userId: 7 },
      "job-1",
      expect.objectContaining({ message: "the row was refused" }),
    ]);
  });

  it("throws its own error, and not the error of onExhausted, if both fail", async () => {
    const onExhausted = () => Promise.reject(refusedRow("nor was this one taken"));
    const { thrown, failures } = await attempt({ run, onExhausted }, {});
    expect(thrown).toMatchObject({ message: "the row was refused" });
    expect(thrown).not.toHaveProperty("parent");
    expect(failures).toEqual([
      "job failed",
      "the work after the last failed attempt of a job failed",
    ]);
  });

  it("fails if its payload does not match the queue", async () => {
    const [unused, onExhausted] = [
      vi.fn<UnlinkJob["run"]>(),
      vi.fn<NonNullable<UnlinkJob["onExhausted"]>>(),
    ];
    const { thrown, failures } = await attempt({ run: unused, onExhausted }, { data: { id: 7 } });
    expect(thrown).toMatchObject({ message: 'payload: "userId" is required' });
    expect(failures).toEqual(["job failed"]);
    expect(unused).not.toHaveBeenCalled();
    expect(onExhausted.mock.calls[0]?.[0]).toBeNull();
  });
});
