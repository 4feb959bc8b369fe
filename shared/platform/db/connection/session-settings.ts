import type { Config } from "../../config/config.ts";

/** How long a connection's client waits; what it has given up, the server gives up before it. */
export interface Patience {
  /** Milliseconds one statement may take; null for work that takes as long as it takes. */
  readonly statementMs: number | null;
  /** Milliseconds a transaction may stand still between two statements, or take to end; as a statement when absent. */
  readonly idleMs?: number;
  /** Whether the connection goes through a transaction pooler, where no setting of a session lasts. */
  readonly isPooled?: boolean;
}

/** Whether `DATABASE_URL` goes through a transaction pooler. */
export const isPooled = ({ DATABASE_LISTEN_URL }: Config): boolean =>
  DATABASE_LISTEN_URL !== undefined;

/** The way to the server itself, for what needs a session: LISTEN, locks, long statements. */
export const directUrlOf = ({ DATABASE_LISTEN_URL, DATABASE_URL }: Config): string =>
  DATABASE_LISTEN_URL ?? DATABASE_URL;

/** The patience of a process's requests and jobs over `DATABASE_URL`. */
export const usualPatience = (config: Config): Patience => ({
  statementMs: config.DATABASE_TIMEOUT,
  isPooled: isPooled(config),
});

/** Parts of the client's patience. A lock comes first, so that the error says what was waited for. */
const lockPart = 0.8;
const serverPart = 0.9;
/** When the client asks for the end of what none of the server's own timeouts has ended. */
export const cancelPart = 0.95;

/** By name, in milliseconds unless it says otherwise. */
type Settings = Readonly<Record<string, number | string>>;

/** What the server gives up by itself, with 0 for never. */
function timeoutsFor({ statementMs, idleMs = statementMs ?? 0 }: Patience): Settings {
  const waits = statementMs ?? 0;
  return {
    statement_timeout: Math.round(waits * serverPart),
    lock_timeout: Math.round(waits * lockPart),
    idle_in_transaction_session_timeout: Math.round(idleMs * serverPart),
  };
}

/** How the server notices that a client is gone: while it works for it, and while it waits. */
const noticingSettings: Settings = {
  client_connection_check_interval: 2_000,
  tcp_keepalives_idle: "10s",
  tcp_keepalives_interval: "5s",
  tcp_keepalives_count: 3,
};

/** What a session of the patience should be set to. */
export const settingsByName = (patience: Patience): Settings => ({
  ...timeoutsFor(patience),
  ...noticingSettings,
});

/**
 * SQL that a connection begins with. Startup parameters would do the same, and no pooler lets them
 * pass, also none that keeps sessions.
 * @returns undefined for a connection whose settings come from its role
 */
export function settingsFor(patience: Patience): string | undefined {
  if (patience.isPooled) return undefined;
  const settings = Object.entries(settingsByName(patience));
  const values = settings.map(([name, value]) => `('${name}', '${value}')`);
  // A server on Windows refuses to look after its clients.
  return `select set_config(name, value, false) from (values ${values.join(", ")}) as given (name, value)
    where name <> 'client_connection_check_interval' or version() !~* 'windows|mingw|visual c'`;
}
