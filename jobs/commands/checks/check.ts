import type { ShellContext } from "../launch/shell-context.ts";

export interface DoctorResult {
  /** `skipped`: there was nothing to check, which is not a fault. */
  readonly status: "ok" | "fault" | "skipped";
  readonly detail: string;
  readonly fix?: string;
}

export interface DoctorCheck {
  readonly name: string;
  /** Runs the check. It is called only if the database responds. If it throws, the error is reported as a fault. */
  run(this: void, context: ShellContext): Promise<DoctorResult>;
}

export const okResult = (detail: string): DoctorResult => ({ status: "ok", detail });
export const faultResult = (detail: string, fix: string): DoctorResult => ({
  status: "fault",
  detail,
  fix,
});
export const skippedResult = (detail: string): DoctorResult => ({ status: "skipped", detail });

export const errorReasonOf = (error: unknown): string => {
  // If a host name has two addresses, the error of a refused connection has a code but no message.
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(message || code || error);
};

/** True if a table is missing, because migrations are pending. */
export const isMissingRelation = (error: unknown): boolean =>
  (error as { original?: { code?: string } }).original?.code === "42P01";
