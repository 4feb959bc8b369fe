import { BaseError, ConnectionError } from "sequelize";

const codeOfReadOnly = "25006";
const codeOfLocked = "55P03";
/** SQLSTATEs of a server that starts, shuts down, has no free connection, is read-only or timed out. */
const codesOfAway: readonly string[] = [
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53300",
  codeOfReadOnly,
  "25P03",
  "57014",
  codeOfLocked,
];
/** The SQLSTATE class of connection errors. */
const connectionClass = "08";

/** Messages of the driver that have no code: a connection that ended, a pool without a free connection. */
const wordsOfAway =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

const connectionFaults = new WeakSet<Error>();

/** Marks an error of a database connection, which otherwise looks like that of another connection. */
export function noteConnectionFault(error: Error): void {
  connectionFaults.add(error);
}

export class DatabaseAway extends Error {}

export class ReadOnly extends DatabaseAway {}

/**
 * True if the database is unusable and the request itself is not at fault. THE place where that is
 * decided.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof DatabaseAway) return true;
  if (!(error instanceof Error)) return false;
  // Sequelize wraps the driver's error.
  const { original } = error as { readonly original?: unknown };
  if (error instanceof BaseError && original instanceof Error) return isSaidOfAway(original);
  return isSaidOfAway(error);
}

function isSaidOfAway(error: Error): boolean {
  if (connectionFaults.has(error)) return true;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return wordsOfAway.test(message);
  return codesOfAway.includes(code) || (code.length === 5 && code.startsWith(connectionClass));
}

const codeOfFull = "53300";
/**
 * Poolers have no code for a lack of connections. `query_wait_timeout` is not among these texts,
 * because PgBouncer also reports it for a server that is gone.
 */
const wordsOfFull = new RegExp(
  [
    "no more connections allowed",
    "max client connections reached",
    "client connections exceeded",
    "too many (clients|connections)",
    "connection slots are reserved",
  ].join("|"),
  "i",
);

/** Returns true if the server or the pooler has no free connection. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfFull || wordsOfFull.test(error.message) || isFull(original);
}

/** Returns true if the session is read-only. */
export function isOfReadOnly(error: unknown): boolean {
  if (error instanceof ReadOnly) return true;
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfReadOnly || isOfReadOnly(original);
}

export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfLocked || isLocked(original);
}
