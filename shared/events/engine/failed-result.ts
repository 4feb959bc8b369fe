import { type BridgeCode, BridgeError, mayBeExecuted } from "../../platform/bridge/bridge-error.ts";
import type { ErrorKind } from "../../platform/errors/error-kinds.ts";
import { AppError, messageOf } from "../../platform/errors/errors.ts";
import { computeDoubledMs } from "../../platform/time/backoff.ts";
import type { FailedResult } from "../machine/settle.ts";
import { AttemptRefusedError } from "./authorize-attempt.ts";

const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Codes of refusals by the shard that had no effect; a retry may succeed. */
const retryableCodes: readonly BridgeCode[] = ["UNAUTHORIZED", "PROTOCOL", "LIMIT"];

/** Errors of this service that a retry would cause again. */
const permanentKinds: readonly ErrorKind[] = ["invalid", "forbidden", "missing", "conflict"];

/** Converts the error of an attempt into its result. @param attempt its number within the step */
export function toFailedResult(error: unknown, attempt: number): FailedResult {
  const delayMs = Math.random() * computeDoubledMs(firstDelayMs, longestDelayMs, attempt - 1);
  const cause = error instanceof AttemptRefusedError ? error.reason : "failed";
  return { kind: "failed", error: textOf(error), cause, delayMs, ...classifyError(error) };
}

function classifyError(error: unknown): Pick<FailedResult, "mayRetry" | "isUnknown"> {
  if (error instanceof AttemptRefusedError) return { mayRetry: false, isUnknown: false };
  if (error instanceof BridgeError) {
    const isUnknown = mayBeExecuted(error);
    return {
      mayRetry: isUnknown || error.isUnsent || retryableCodes.includes(error.code),
      isUnknown,
    };
  }
  if (error instanceof AppError && permanentKinds.includes(error.kind)) {
    return { mayRetry: false, isUnknown: false };
  }
  return { mayRetry: true, isUnknown: true };
}

const textOf = (error: unknown): string => describeError(error).slice(0, 500);

function describeError(error: unknown): string {
  if (error instanceof BridgeError) return `${error.code}: ${error.reason}`;
  const faults = error instanceof AppError ? (error.faults ?? []) : [];
  // The message of a failed validation does not name the faults, so list them.
  if (faults.length === 0) return messageOf(error);
  return faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
}
