import { literal, type Utils } from "sequelize";

// Processes differ in what time it is, so the database's clock decides.

/** SQL of a moment. Sequelize takes it wherever a time is given; its types know that of some. */
export type Time = Date & Utils.Literal;

const time = (sql: string): Time => literal(sql) as unknown as Time;

/** This moment. */
export const clockNow = (): Time => time("clock_timestamp()");

/** When the transaction began. */
export const transactionStart = (): Time => time("now()");

/** When the statement began: in a transaction that waited for a row, after the wait. */
export const statementStart = (): Time => time("statement_timestamp()");

/** So many milliseconds after this moment. */
export const clockAfter = (ms: number): Time => time(`clock_timestamp() + ${interval(ms)}`);

/** So many milliseconds after the transaction began. */
export const startAfter = (ms: number): Time => time(`now() + ${interval(ms)}`);

/** What a row is read with to tell how long it lasts still: this moment, under the name `readAt`. */
export const readNow = (): [Utils.Literal, string] => [clockNow(), "readAt"];

/** @returns milliseconds from the moment at which a row was read, by `readNow`, until another one */
export const restMs = (until: Date | null, row: { get(name: "readAt"): unknown }): number =>
  until === null ? 0 : until.getTime() - (row.get("readAt") as Date).getTime();

const interval = (ms: number): string => `make_interval(secs => ${ms / 1000})`;
