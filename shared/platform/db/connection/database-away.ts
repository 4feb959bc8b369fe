import { BaseError, ConnectionError } from "sequelize";

const codeOfReadOnly = "25006";
const codeOfLocked = "55P03";
/**
 * SQLSTATEs of a server that takes no work now: it is shutting down or starting, has no connection
 * left, only reads, or gave up what took too long.
 */
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
/** The class of connection faults. */
const connectionClass = "08";

/** What the driver says without a code: of a connection that ended, of a pool that had none left. */
const wordsOfAway =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/** Faults that connections to the database themselves had: a refusal to connect, a reset, silence. */
const connectionFaults = new WeakSet<Error>();

/**
 * Remembers what a connection to the database failed of: by itself such an error looks like that of
 * any other connection, as to a game server.
 */
export function noteConnectionFault(error: Error): void {
  connectionFaults.add(error);
}

/** What is told without asking the database, while the process knows that it cannot be used. */
export class DatabaseAway extends Error {}

/** Of a session on which nothing can be written. */
export class ReadOnly extends DatabaseAway {}

/**
 * Whether an error says that the database cannot be used at this moment, and nothing of what it was
 * asked: the same request may succeed once it is back. THE place where that is decided.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof DatabaseAway) return true;
  if (!(error instanceof Error)) return false;
  // Sequelize wraps what the driver says.
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

/** What a server says that has no connection left. */
const codeOfFull = "53300";
/**
 * Poolers have no code for that: of their own connections, and of what the server said when they asked
 * it for one. Their `query_wait_timeout` is none of these words: it is said of a server that is gone too.
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

/** Whether an error says that server or pooler give no further connection now. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Sequelize wraps what the driver says.
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfFull || wordsOfFull.test(error.message) || isFull(original);
}

/** Whether an error says that its session only reads. */
export function isOfReadOnly(error: unknown): boolean {
  if (error instanceof ReadOnly) return true;
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfReadOnly || isOfReadOnly(original);
}

/** Whether an error says that a lock was held by somebody else for too long. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfLocked || isLocked(original);
}
