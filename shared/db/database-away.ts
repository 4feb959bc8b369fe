import { BaseError, ConnectionError } from "sequelize";

/**
 * SQLSTATEs of a server that takes no work now: it is shutting down or starting, has no connection
 * left, only reads, or gave up what took too long.
 */
const codesOfAway = ["57P01", "57P02", "57P03", "53300", "25006", "25P03", "57014", "55P03"];
/** The class of connection faults. */
const connectionClass = "08";

/** What the driver says of a connection that ended, which has no code. */
const wordsOfAway =
  /^(Connection terminated|PostgreSQL said nothing|Client has encountered a connection error|Client was closed)/;

/**
 * Whether an error says that the database cannot be used at this moment, and nothing of what it was
 * asked: the same request may succeed once it is back.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof Error)) return false;
  // Sequelize wraps what the driver says.
  const { original } = error as { readonly original?: unknown };
  if (error instanceof BaseError && original instanceof Error) return isSaidOfAway(original);
  return isSaidOfAway(error);
}

function isSaidOfAway(error: Error): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return wordsOfAway.test(message);
  return codesOfAway.includes(code) || (code.length === 5 && code.startsWith(connectionClass));
}
