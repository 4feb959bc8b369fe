import type { Config } from "../../config/config.ts";

/** A client's timeouts for one connection. The server's timeouts are a little shorter. */
export interface ConnectionTimeouts {
  /** Timeout of a statement in milliseconds; null for no timeout. */
  readonly statementMs: number | null;
  /** Timeout of an idle transaction and of a commit, in milliseconds; by default `statementMs`. */
  readonly idleMs?: number;
  /** True behind a transaction pooler, which keeps no session settings. */
  readonly isPooled?: boolean;
}

export const hasPooler = ({ DATABASE_LISTEN_URL }: Config): boolean =>
  DATABASE_LISTEN_URL !== undefined;

/** The URL of the server itself, for work that needs a session: LISTEN, locks, long statements. */
export const directUrlOf = ({ DATABASE_LISTEN_URL, DATABASE_URL }: Config): string =>
  DATABASE_LISTEN_URL ?? DATABASE_URL;

export const defaultTimeouts = (config: Config): ConnectionTimeouts => ({
  statementMs: config.DATABASE_TIMEOUT,
  isPooled: hasPooler(config),
});

/** Fractions of the client's timeout. The lock timeout is the shortest, so that the error names the lock. */
const lockTimeoutFraction = 0.8;
const serverTimeoutFraction = 0.9;
/** Fraction after which the client sends a cancel request, if no timeout of the server has applied. */
export const cancelTimeoutFraction = 0.95;

/** Settings of a session. Numbers are milliseconds. */
type Settings = Readonly<Record<string, number | string>>;

/** The server's timeouts. 0 means none. */
function timeoutsFor({ statementMs, idleMs = statementMs ?? 0 }: ConnectionTimeouts): Settings {
  const waits = statementMs ?? 0;
  return {
    statement_timeout: Math.round(waits * serverTimeoutFraction),
    lock_timeout: Math.round(waits * lockTimeoutFraction),
    idle_in_transaction_session_timeout: Math.round(idleMs * serverTimeoutFraction),
  };
}

/** Makes the server detect a lost client, during a statement and while idle. */
const clientCheckSettings: Settings = {
  client_connection_check_interval: 2_000,
  tcp_keepalives_idle: "10s",
  tcp_keepalives_interval: "5s",
  tcp_keepalives_count: 3,
};

export const sessionSettings = (patience: ConnectionTimeouts): Settings => ({
  ...timeoutsFor(patience),
  ...clientCheckSettings,
});

/** Returns SQL that applies the settings (poolers drop startup parameters); undefined if the role has them. */
export function sessionSettingsSql(patience: ConnectionTimeouts): string | undefined {
  if (patience.isPooled) return undefined;
  const settings = Object.entries(sessionSettings(patience));
  const values = settings.map(([name, value]) => `('${name}', '${value}')`);
  // Skip `client_connection_check_interval` on Windows, where PostgreSQL rejects it.
  return `select set_config(name, value, false) from (values ${values.join(", ")}) as given (name, value)
    where name <> 'client_connection_check_interval' or version() !~* 'windows|mingw|visual c'`;
}
