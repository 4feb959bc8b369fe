import { EventEmitter } from "node:events";
import { callbackify } from "node:util";

import pg, { Client, type ClientConfig, types } from "pg";

import { prepareNamedStatements } from "../named-statements.ts";
import { type BackendKey, cancelStatement } from "./cancel.ts";
import { markConnectionFault } from "./database-unavailable.ts";
import {
  cancelTimeoutFraction,
  type ConnectionTimeouts,
  sessionSettingsSql,
} from "./session-settings.ts";
import { StandbyCheck, StandbyWatch } from "./standby-check.ts";

export const connectionOptions = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
} as const;

// pg returns int8 as text by default. All int8 values of this database are below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

// The id of the type `int8[]`, which pg's own table of types lacks.
const int8Array = 1016 as TypeId;
types.setTypeParser(int8Array, (text: string) =>
  text.slice(1, -1).split(",").filter(Boolean).map(Number),
);

/**
 * Drops errors of a connection without an error listener, because Node would end the process. A connection can
 * fail before code listens to it or after the code has stopped listening, as the queue does with its LISTEN
 * connection. The next statement reports the loss.
 */
Client.prototype.emit = function (this: Client, event, ...given: unknown[]): boolean {
  if (event === "error" && this.listenerCount(event) === 0) return false;
  return EventEmitter.prototype.emit.call(this, event, ...given);
};

/**
 * Makes pg-boss create its LISTEN connection with the class in the connection options, so that our timeouts
 * apply.
 */
const ClientOfOptions = new Proxy(Client, {
  construct: (usual, [config]: [ClientOfPool?]) => new (config?.Client ?? usual)(config),
});
Object.assign(pg, { Client: ClientOfOptions });

type ClientOfPool = ClientConfig & { readonly Client?: typeof Client };

type TypeId = Parameters<typeof types.setTypeParser>[0];

/** Milliseconds that the server may take to close a connection. */
const closeTimeoutMs = 1_000;
const checkTimeoutMs = 2_000;

interface ClientTimeouts {
  readonly patienceMs: number;
  /** Timeout of a commit. It is short, because transactions that send notifications commit one after another. */
  readonly commitMs: number;
  /**
   * Checks if a long statement only waits for a standby. A write outside a transaction contains its commit, so
   * `commitMs` must limit that wait too.
   */
  readonly look: StandbyCheck | undefined;
}

/**
 * Closes the client's connection if the server does not respond to a statement or to a close. On a half-open
 * connection, pg itself waits as long as TCP does. pg's `query_timeout` only stops waiting for one statement, and
 * later statements queue up behind it. Shortly before closing the connection, this function asks the server to
 * cancel the statement: neither a timeout of the server nor the client's disconnect ends a commit that waits for
 * a standby. Such a commit would keep its locks and a connection until the standby is back. A canceled commit
 * succeeds without the standby.
 */
function closeWhenUnresponsive(
  client: Client,
  { patienceMs, commitMs, look }: ClientTimeouts,
): void {
  const { connection } = client;
  const [query, end] = [client.query.bind(client), client.end.bind(client)];
  let silence: NodeJS.Timeout | undefined;
  let allowedMs = patienceMs;
  let backend: BackendKey | undefined;
  connection.once("backendKeyData", (key: BackendKey) => (backend = key));
  const cut = (): void => {
    const own = silence;
    // First read the data that arrived while the process was busy.
    setImmediate(() => {
      if (silence !== own) return;
      connection.stream.destroy(new Error(`PostgreSQL did not answer for ${allowedMs} ms`));
    });
  };
  const cancel = (): void => {
    if (backend) cancelStatement(client, backend);
  };
  const askToGiveUp = (): void => {
    cancel();
    silence = setTimeout(cut, allowedMs * (1 - cancelTimeoutFraction));
  };
  const everyMs = (commitMs * cancelTimeoutFraction) / 2;
  const standby = look && new StandbyWatch({ look, everyMs, giveUp: cancel });
  const stopWaiting = (): void => {
    clearTimeout(silence);
    silence = undefined;
    standby?.end();
  };
  const wait = (ms: number): void => {
    stopWaiting();
    allowedMs = ms;
    silence = setTimeout(askToGiveUp, ms * cancelTimeoutFraction);
    if (backend && ms > commitMs) standby?.begin(backend.processID);
  };
  client.query = ((...given: Parameters<typeof query>) => {
    if (!silence) wait(isCommit(given[0]) ? commitMs : patienceMs);
    return query(...given);
  }) as typeof client.query;
  client.end = ((...given: Parameters<typeof end>) => {
    stopWaiting();
    // After `end` was called, the connection may emit no `end` event, so this timer must not keep the process
    // alive.
    silence = setTimeout(() => connection.stream.destroy(), closeTimeoutMs).unref();
    return end(...given);
  }) as typeof client.end;
  connection.on("readyForQuery", () => silence && wait(patienceMs));
  client.on("drain", stopWaiting);
  connection.once("end", stopWaiting);
}

const isCommit = (statement: unknown): boolean =>
  typeof statement === "string" && /^commit\b/i.test(statement);

interface ClientOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly patience: ConnectionTimeouts;
}

/**
 * Creates a connection outside the pool, directly to the server, because a transaction pooler keeps no session.
 */
export function createClient({ url, applicationName, patience }: ClientOptions): Client {
  const Own = createClientClass(patience);
  return new Own({
    ...connectionOptions,
    connectionString: url,
    application_name: applicationName,
  });
}

declare module "pg" {
  interface Client {
    /** The types of pg omit this method. */
    getStartupConf(): Readonly<Record<string, string>>;
  }
}

type Connected = (error: Error | null) => void;

/**
 * Returns a class whose clients close a connection that does not respond. The server's own timeouts are shorter.
 * @param timeouts if `hasPooler`, the server uses the role's timeouts
 */
export const createClientClass = (timeouts: ConnectionTimeouts): typeof Client => {
  const settings = sessionSettingsSql(timeouts);
  let look: StandbyCheck | undefined;
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      this.connection.on("error", markConnectionFault);
      const { statementMs: patienceMs, idleMs, isPooled = false } = timeouts;
      // Do not prepare: a transaction pooler may run the next statement on another connection.
      if (!isPooled) prepareNamedStatements(this);
      if (patienceMs === null) return;
      const commitMs = idleMs ?? patienceMs;
      if (commitMs < patienceMs) look ??= new StandbyCheck(() => createCheckClient(config));
      closeWhenUnresponsive(this, { patienceMs, commitMs, look });
    }

    /** The time zone is one of the few parameters that a transaction pooler keeps for each client. */
    override getStartupConf(): Readonly<Record<string, string>> {
      const usual = super.getStartupConf();
      return timeouts.isPooled ? { ...usual, TimeZone: "UTC" } : usual;
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      if (!callback) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    /**
     * Resolves when the settings are applied. Rejects if the connection ends first, in which case pg's own
     * `connect` would never settle.
     */
    async #connect(): Promise<Client> {
      const ended = new Promise<never>((_, reject) => {
        this.once("end", () => reject(new Error("the connection was ended")));
      });
      await Promise.race([super.connect(), ended]);
      try {
        if (settings) await this.query(settings);
      } catch (error) {
        await this.end();
        throw error;
      }
      return this;
    }
  };
};

function createCheckClient(config: string | ClientConfig | undefined): Client {
  const Looker = createClientClass({ statementMs: checkTimeoutMs });
  return new Looker({
    ...(typeof config === "string" ? { connectionString: config } : config),
    application_name: "guildhall watch",
    connectionTimeoutMillis: checkTimeoutMs,
  });
}
