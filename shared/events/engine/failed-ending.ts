import { type BridgeCode, BridgeError, mayBeDone } from "../../platform/bridge/bridge-error.ts";
import type { ErrorKind } from "../../platform/errors/error-kinds.ts";
import { AppError, messageOf } from "../../platform/errors/errors.ts";
import { doubledMs } from "../../platform/time/backoff.ts";
import type { FailedEnding } from "../machine/settle.ts";
import { NotAdmitted } from "./admit.ts";

const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Codes of shard refusals without effect that a retry may overcome. */
const harmless: readonly BridgeCode[] = ["UNAUTHORIZED", "PROTOCOL", "LIMIT"];

/** Our own refusals that a retry would meet again. */
const lasting: readonly ErrorKind[] = ["invalid", "forbidden", "missing", "conflict"];

/** Converts the error of an attempt into its ending. @param attempt its number within the step */
export function failedEnding(error: unknown, attempt: number): FailedEnding {
  const delayMs = Math.random() * doubledMs(firstDelayMs, longestDelayMs, attempt - 1);
  const cause = error instanceof NotAdmitted ? error.reason : "failed";
  return { kind: "failed", error: textOf(error), cause, delayMs, ...meaningOf(error) };
}

function meaningOf(error: unknown): Pick<FailedEnding, "mayRetry" | "isUnknown"> {
  if (error instanceof NotAdmitted) return { mayRetry: false, isUnknown: false };
  if (error instanceof BridgeError) {
    const isUnknown = mayBeDone(error);
    return { mayRetry: isUnknown || error.isUnsent || harmless.includes(error.code), isUnknown };
  }
  if (error instanceof AppError && lasting.includes(error.kind)) {
    return { mayRetry: false, isUnknown: false };
  }
  return { mayRetry: true, isUnknown: true };
}

const textOf = (error: unknown): string => wholeTextOf(error).slice(0, 500);

function wholeTextOf(error: unknown): string {
  if (error instanceof BridgeError) return `${error.code}: ${error.reason}`;
  const faults = error instanceof AppError ? (error.faults ?? []) : [];
  // The message of a failed validation does not name the faults.
  if (faults.length === 0) return messageOf(error);
  return faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
}
