import { EventEmitter } from "node:events";
import { callbackify } from "node:util";

import { Client, type ClientConfig, types } from "pg";

import { noteConnectionFault } from "./database-away.ts";
import { type Patience, settingsFor } from "./session-settings.ts";

/** What every connection begins with, whatever else it asks for. */
export const connectWithin = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
} as const;

// int8 arrives as text unless told otherwise; every one of ours stays below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

// pg's own table of types leaves the arrays out.
const int8Array = 1016 as TypeId;
types.setTypeParser(int8Array, (text: string) =>
  text.slice(1, -1).split(",").filter(Boolean).map(Number),
);

/**
 * A connection may end before whoever asked for it listens, or after they left it, as the queue does
 * with that of its LISTEN: who uses it learns that of a statement. An error that nobody hears ends no
 * process, whoever made the connection.
 */
Client.prototype.emit = function (this: Client, event, ...given: unknown[]): boolean {
  if (event === "error" && this.listenerCount(event) === 0) return false;
  return EventEmitter.prototype.emit.call(this, event, ...given);
};

type TypeId = Parameters<typeof types.setTypeParser>[0];

/** How long the other side may take to hear a goodbye. */
const farewellMs = 1_000;

/**
 * Has the client cut its connection when the server leaves a statement, or a goodbye, unanswered.
 * Over a half-open connection pg itself waits for as long as TCP does; with its own `query_timeout`
 * it stops waiting for the one statement, and every later one queues up behind that.
 * @param patienceMs how long one statement may take
 */
function cutWhenSilent(client: Client, patienceMs: number): void {
  const { connection } = client;
  const [query, end] = [client.query.bind(client), client.end.bind(client)];
  let silence: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      connection.stream.destroy(new Error(`PostgreSQL said nothing for ${patienceMs} ms`));
    }, patienceMs);
  };
  const stopWaiting = (): void => {
    clearTimeout(silence);
    silence = undefined;
  };
  client.query = ((...given: Parameters<typeof query>) => {
    if (!silence) wait();
    return query(...given);
  }) as typeof client.query;
  client.end = ((...given: Parameters<typeof end>) => {
    clearTimeout(silence);
    silence = setTimeout(() => connection.stream.destroy(), farewellMs);
    return end(...given);
  }) as typeof client.end;
  connection.on("readyForQuery", () => silence && wait());
  client.on("drain", stopWaiting);
  connection.once("end", stopWaiting);
}

/** What a connection of one's own is for. */
interface ClientOptions {
  readonly url: string;
  /** What the database calls it. */
  readonly applicationName: string;
  readonly patience: Patience;
}

/** A connection of one's own, straight to the server: a transaction pooler keeps no session. */
export function createClient({ url, applicationName, patience }: ClientOptions): Client {
  const Own = clientWith(patience);
  return new Own({
    ...connectWithin,
    connectionString: url,
    application_name: applicationName,
  });
}

declare module "pg" {
  interface Client {
    /** What a client asks for when it connects, which the library's types leave out. */
    getStartupConf(): Readonly<Record<string, string>>;
  }
}

type Connected = (error: Error | null) => void;

/**
 * A class of clients for a pool that makes its own, and for `createClient`: the client cuts a
 * connection that falls silent, and the server gives up before that.
 * @param patience whose `isPooled` says that the server's part comes from the role
 */
export const clientWith = (patience: Patience): typeof Client => {
  const settings = settingsFor(patience);
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      this.connection.on("error", noteConnectionFault);
      if (patience.statementMs !== null) cutWhenSilent(this, patience.statementMs);
    }

    /** The time zone is among the few parameters that a transaction pooler keeps for each client. */
    override getStartupConf(): Readonly<Record<string, string>> {
      const usual = super.getStartupConf();
      return patience.isPooled ? { ...usual, TimeZone: "UTC" } : usual;
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      if (!callback) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    /** It is not connected for anybody before it has its settings. */
    async #connect(): Promise<Client> {
      await super.connect();
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
