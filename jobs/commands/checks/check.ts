import type { ShellContext } from "../launch/shell-context.ts";

export interface Finding {
  /** `skipped`: there was nothing to check, which is not a fault. */
  readonly status: "ok" | "fault" | "skipped";
  readonly detail: string;
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** Runs only if the database responds. An error becomes the finding. */
  run(this: void, context: ShellContext): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const fault = (detail: string, fix: string): Finding => ({ status: "fault", detail, fix });
export const skipped = (detail: string): Finding => ({ status: "skipped", detail });

export const reasonOf = (error: unknown): string => {
  // A refused connection to a name with two addresses has only a code.
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(message || code || error);
};

/** A missing table means pending migrations. */
export const isMissingRelation = (error: unknown): boolean =>
  (error as { original?: { code?: string } }).original?.code === "42P01";
