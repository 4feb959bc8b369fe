import { literal, type Utils } from "sequelize";

// Use the database's clock, because clocks of processes differ.

/** SQL of a time. Sequelize accepts it for any time, but its types do not. */
export type Time = Date & Utils.Literal;

const time = (sql: string): Time => literal(sql) as unknown as Time;

export const clockNow = (): Time => time("clock_timestamp()");

/** Start of the transaction. */
export const transactionStart = (): Time => time("now()");

/** Start of the statement: after the wait, in a transaction that waited for a row. */
export const statementStart = (): Time => time("statement_timestamp()");

export const clockAfter = (ms: number): Time => time(`clock_timestamp() + ${interval(ms)}`);

export const startAfter = (ms: number): Time => time(`now() + ${interval(ms)}`);

/** Selects the current time as `readAt`, for `restMs`. */
export const readNow = (): [Utils.Literal, string] => [clockNow(), "readAt"];

/** @returns milliseconds from the time of reading a row with `readNow` until another time */
export const restMs = (until: Date | null, row: { get(name: "readAt"): unknown }): number =>
  until === null ? 0 : until.getTime() - (row.get("readAt") as Date).getTime();

const interval = (ms: number): string => `make_interval(secs => ${ms / 1000})`;
