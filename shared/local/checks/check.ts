import type { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";

/** What a check found, in words for an operator. */
export interface Finding {
  /** `skipped`: there was nothing to check, which is no fault. */
  readonly status: "ok" | "fault" | "skipped";
  readonly detail: string;
  /** What to do about a fault. */
  readonly fix?: string;
}

/** What most checks look at: a configuration that is right, and a database that answers. */
export interface Ground {
  readonly config: Config;
  readonly sequelize: Sequelize;
}

export interface Check {
  readonly name: string;
  /** May throw: what it throws is its finding. */
  run(this: void, ground: Ground): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const fault = (detail: string, fix: string): Finding => ({ status: "fault", detail, fix });
export const skipped = (detail: string): Finding => ({ status: "skipped", detail });

export const messageOf = (error: unknown): string => {
  // A refused connection to a name with two addresses says nothing but its code.
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(message || code || error);
};

/** A table that is not there yet is the fault of pending migrations. */
export const isMissingRelation = (error: unknown): boolean =>
  (error as { original?: { code?: string } }).original?.code === "42P01";
