import { literal, type Utils } from "sequelize";

// Use the database's clock, because clocks of processes differ.

/** SQL of a time. Sequelize accepts it for any time, but its types do not. */
export type SqlTime = Date & Utils.Literal;

const time = (sql: string): SqlTime => literal(sql) as unknown as SqlTime;

export const clockNow = (): SqlTime => time("clock_timestamp()");

/** Start of the transaction. */
export const transactionStart = (): SqlTime => time("now()");

/** Start of the statement. In a transaction that waited for a lock, this is after the wait. */
export const statementStart = (): SqlTime => time("statement_timestamp()");

export const clockNowPlus = (ms: number): SqlTime => time(`clock_timestamp() + ${interval(ms)}`);

export const transactionStartPlus = (ms: number): SqlTime => time(`now() + ${interval(ms)}`);

/** Selects the current time as `readAt`, for `remainingMs`. */
export const selectReadAt = (): [Utils.Literal, string] => [clockNow(), "readAt"];

/** @returns the milliseconds between the reading of a row by `selectReadAt` and another time */
export const remainingMs = (until: Date | null, row: { get(name: "readAt"): unknown }): number =>
  until === null ? 0 : until.getTime() - (row.get("readAt") as Date).getTime();

const interval = (ms: number): string => `make_interval(secs => ${ms / 1000})`;
