import { words } from "../../words/words.ts";
import type { FailureGroup, Job } from "./use-queues.ts";

export const hasError = ({ state }: Job): boolean => state === "failed" || state === "retry";

const textIn = (holder: unknown, key: string): string | null => {
  const value = (Object(holder) as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? value : null;
};

/** Returns the message by which the service groups failures. Lost jobs have it in `value`. */
const messageOf = ({ output }: Job): string | null =>
  textIn(output, "message") ?? textIn(output?.["value"], "message");

/** Returns the reason of a failed job. */
export const errorOf = (job: Job): string =>
  messageOf(job) ?? textIn(job.output, "reason") ?? words.queues.noReason;

/** Returns true if a job failed with the error of a group. */
export const isInGroup = ({ queue, error }: FailureGroup, job: Job): boolean =>
  job.queue === queue && messageOf(job) === error;
