import { BaseError, ConnectionError } from "sequelize";

const readOnlyCode = "25006";
const lockTimeoutCode = "55P03";
/** SQLSTATEs of a server that is starting, shutting down, out of connections, read-only or timed out. */
const unavailableCodes: readonly string[] = [
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53300",
  readOnlyCode,
  "25P03",
  "57014",
  lockTimeoutCode,
];
/** The SQLSTATE class of connection errors. */
const connectionClass = "08";

/** Messages of the driver that have no code: a connection that ended, a pool without a free connection. */
const unavailableMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

const connectionFaults = new WeakSet<Error>();

/** Marks an error as the error of a database connection: a socket error to another server looks the same. */
export function markConnectionFault(error: Error): void {
  connectionFaults.add(error);
}

export class DatabaseUnavailableError extends Error {}

export class SessionReadOnlyError extends DatabaseUnavailableError {}

/** THE check if an error means that the database is unusable and the request is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof DatabaseUnavailableError) return true;
  if (!(error instanceof Error)) return false;
  // Sequelize wraps the driver's error, so check the driver's error.
  const { original } = error as { readonly original?: unknown };
  if (error instanceof BaseError && original instanceof Error) return meansUnavailable(original);
  return meansUnavailable(error);
}

function meansUnavailable(error: Error): boolean {
  if (connectionFaults.has(error)) return true;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return unavailableMessages.test(message);
  return unavailableCodes.includes(code) || (code.length === 5 && code.startsWith(connectionClass));
}

const outOfConnectionsCode = "53300";
/**
 * Poolers have no code for a lack of connections. `query_wait_timeout` is missing here, because PgBouncer
 * also reports it for a server that is gone.
 */
const outOfConnectionsMessages = new RegExp(
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
export function isOutOfConnections(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return (
    code === outOfConnectionsCode ||
    outOfConnectionsMessages.test(error.message) ||
    isOutOfConnections(original)
  );
}

/** Returns true if the session is read-only. */
export function isReadOnlyError(error: unknown): boolean {
  if (error instanceof SessionReadOnlyError) return true;
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === readOnlyCode || isReadOnlyError(original);
}

export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === lockTimeoutCode || isLockTimeout(original);
}
