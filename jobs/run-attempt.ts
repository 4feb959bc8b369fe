import type { JobWithMetadata } from "pg-boss";

import type { SiteContext } from "../shared/ops/site-context.ts";
import { formatDurationInWords } from "../shared/platform/config/values.ts";
import { messageOf, stripErrorFields } from "../shared/platform/errors/errors.ts";
import type { PayloadOf, QueueName, QueueSpec } from "../shared/platform/queue/queues.ts";
import { computeDoubledMs } from "../shared/platform/time/backoff.ts";
import type { Job } from "./job.ts";

/** A job as pg-boss passes it to a handler. */
type QueuedJob = Pick<
  JobWithMetadata,
  "id" | "data" | "signal" | "retryCount" | "retryLimit" | "retryDelay" | "retryDelayMax"
>;

/**
 * Runs one attempt of a job. If the last attempt fails, it also runs `onExhausted`.
 * @throws the error of the attempt without secrets, because the queue stores it for administrators
 */
export async function runAttempt<Name extends QueueName>(
  job: Job<Name>,
  spec: Pick<QueueSpec<unknown>, "payload">,
  queuedJob: QueuedJob,
  context: SiteContext,
): Promise<unknown> {
  const log = context.log.child({ queue: job.queue, jobId: queuedJob.id });
  const startedAt = performance.now();
  let payload: PayloadOf<Name> | null = null;
  try {
    payload = readPayload<Name>(spec, queuedJob.data);
    const attempt = { jobId: queuedJob.id, signal: queuedJob.signal };
    const result = await job.run(payload, { ...context, log }, attempt);
    log.info({ ms: Math.round(performance.now() - startedAt) }, "job done");
    return result;
  } catch (cause) {
    if (queuedJob.retryCount < queuedJob.retryLimit) {
      const reason = messageOf(cause);
      log.warn(
        { ...attemptNumbers(queuedJob), next: nextTryOf(queuedJob), reason },
        "job will be tried again",
      );
      log.debug({ err: cause }, "the error of the failed attempt");
      throw stripErrorFields(cause);
    }
    log.error({ err: cause, ...attemptNumbers(queuedJob) }, "job failed");
    const last = { jobId: queuedJob.id, retryCount: queuedJob.retryCount, cause };
    await runExhausted(() => job.onExhausted?.(payload, { ...context, log }, last), log);
    throw stripErrorFields(cause);
  }
}

/** Returns the attempt's number, counted from 1 as on the queues page, and the maximum number of attempts. */
const attemptNumbers = ({ retryCount, retryLimit }: QueuedJob) => ({
  attempt: retryCount + 1,
  attempts: retryLimit + 1,
});

/** Describes when the next attempt starts. pg-boss doubles the delay each time and adds a random part. */
function nextTryOf({ retryCount, retryDelay, retryDelayMax }: QueuedJob): string {
  const longestMs = retryDelayMax ? retryDelayMax * 1000 : Infinity;
  const leastMs = computeDoubledMs(
    Math.max(1, retryDelay) * 1000,
    longestMs,
    Math.min(retryCount, 15),
  );
  return `in ${formatDurationInWords(leastMs)} to ${formatDurationInWords(Math.min(leastMs * 2, longestMs))}`;
}

function readPayload<Name extends QueueName>(
  { payload }: Pick<QueueSpec<unknown>, "payload">,
  data: unknown,
): PayloadOf<Name> {
  const { value, error } = payload.validate(data ?? {}, { stripUnknown: true });
  if (error) throw new Error(`payload: ${error.message}`);
  return value as PayloadOf<Name>;
}

/** Only logs an error of `onExhausted`, so that the job fails with the error of its attempt. */
async function runExhausted(
  work: () => Promise<void> | undefined,
  log: SiteContext["log"],
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "the work after the last failed attempt of a job failed");
  }
}
