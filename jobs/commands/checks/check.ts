import type { ShellContext } from "../launch/shell-context.ts";

/** What a check found, in words for an operator. */
export interface Finding {
  /** `skipped`: there was nothing to check, which is no fault. */
  readonly status: "ok" | "fault" | "skipped";
  readonly detail: string;
  /** What to do about a fault. */
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** Asked only of a database that answers. May throw: what it throws is its finding. */
  run(this: void, context: ShellContext): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const fault = (detail: string, fix: string): Finding => ({ status: "fault", detail, fix });
export const skipped = (detail: string): Finding => ({ status: "skipped", detail });

export const reasonOf = (error: unknown): string => {
  // A refused connection to a name with two addresses says nothing but its code.
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(message || code || error);
};

/** A table that is not there yet is the fault of pending migrations. */
export const isMissingRelation = (error: unknown): boolean =>
  (error as { original?: { code?: string } }).original?.code === "42P01";
