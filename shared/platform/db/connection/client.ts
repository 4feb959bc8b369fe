import { EventEmitter } from "node:events";
import { callbackify } from "node:util";

import pg, { Client, type ClientConfig, types } from "pg";

import { prepareNamed } from "../named-statements.ts";
import { type Backend, cancelStatement } from "./cancel.ts";
import { noteConnectionFault } from "./database-away.ts";
import { cancelPart, type Patience, settingsFor } from "./session-settings.ts";
import { StandbyLook, StandbyPatience } from "./standby-look.ts";

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

/**
 * The queue makes the connection of its LISTEN from the options of its pool, and as none of the class
 * that they name: it would have neither our settings nor our patience.
 */
const ofNamedClass = new Proxy(Client, {
  construct: (usual, [config]: [ClientOfPool?]) => new (config?.Client ?? usual)(config),
});
Object.assign(pg, { Client: ofNamedClass });

type ClientOfPool = ClientConfig & { readonly Client?: typeof Client };

type TypeId = Parameters<typeof types.setTypeParser>[0];

/** How long the other side may take to hear a goodbye. */
const farewellMs = 1_000;
/** How long a look at another connection may take. */
const lookMs = 2_000;

interface Silence {
  /** How long one statement may take. */
  readonly patienceMs: number;
  /** How long the end of a transaction may: all who notify wait for one that has. */
  readonly commitMs: number;
  /** A write outside of a transaction is its own end: needed where it may compute for longer than that. */
  readonly look: StandbyLook | undefined;
}

/**
 * Has the client cut its connection when the server leaves a statement, or a goodbye, unanswered.
 * Over a half-open connection pg itself waits for as long as TCP does; with its own `query_timeout`
 * it stops waiting for the one statement, and every later one queues up behind that.
 *
 * Shortly before, it asks the server to give up: a commit that waits for a standby ends by none of the
 * server's timeouts, nor with its client. Asked to, the server says that it is done, as it is; left
 * alone, it keeps the transaction's locks and a connection until the standby is back.
 */
function cutWhenSilent(client: Client, { patienceMs, commitMs, look }: Silence): void {
  const { connection } = client;
  const [query, end] = [client.query.bind(client), client.end.bind(client)];
  let silence: NodeJS.Timeout | undefined;
  let allowedMs = patienceMs;
  let backend: Backend | undefined;
  connection.once("backendKeyData", (key: Backend) => (backend = key));
  const cut = (): void => {
    const own = silence;
    // What came while the process was busy is heard first.
    setImmediate(() => {
      if (silence !== own) return;
      connection.stream.destroy(new Error(`PostgreSQL said nothing for ${allowedMs} ms`));
    });
  };
  const cancel = (): void => {
    if (backend) cancelStatement(client, backend);
  };
  const askToGiveUp = (): void => {
    cancel();
    silence = setTimeout(cut, allowedMs * (1 - cancelPart));
  };
  const everyMs = (commitMs * cancelPart) / 2;
  const standby = look && new StandbyPatience({ look, everyMs, giveUp: cancel });
  const stopWaiting = (): void => {
    clearTimeout(silence);
    silence = undefined;
    standby?.end();
  };
  const wait = (ms: number): void => {
    stopWaiting();
    allowedMs = ms;
    silence = setTimeout(askToGiveUp, ms * cancelPart);
    if (backend && ms > commitMs) standby?.begin(backend.processID);
  };
  client.query = ((...given: Parameters<typeof query>) => {
    if (!silence) wait(isCommit(given[0]) ? commitMs : patienceMs);
    return query(...given);
  }) as typeof client.query;
  client.end = ((...given: Parameters<typeof end>) => {
    stopWaiting();
    // One that has ended already tells of no end, and is not to hold the process.
    silence = setTimeout(() => connection.stream.destroy(), farewellMs).unref();
    return end(...given);
  }) as typeof client.end;
  connection.on("readyForQuery", () => silence && wait(patienceMs));
  client.on("drain", stopWaiting);
  connection.once("end", stopWaiting);
}

const isCommit = (statement: unknown): boolean =>
  typeof statement === "string" && /^commit\b/i.test(statement);

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
  let look: StandbyLook | undefined;
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      this.connection.on("error", noteConnectionFault);
      const { statementMs: patienceMs, idleMs, isPooled = false } = patience;
      // A transaction pooler may hand the next statement to a connection that never heard the name.
      if (!isPooled) prepareNamed(this);
      if (patienceMs === null) return;
      const commitMs = idleMs ?? patienceMs;
      if (commitMs < patienceMs) look ??= new StandbyLook(() => lookerLike(config));
      cutWhenSilent(this, { patienceMs, commitMs, look });
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

    /**
     * It is not connected for anybody before it has its settings. Who waits for one that is ended
     * meanwhile hears of that: pg alone would have them wait for ever.
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

/** A connection that looks after another. */
function lookerLike(config: string | ClientConfig | undefined): Client {
  const Looker = clientWith({ statementMs: lookMs });
  return new Looker({
    ...(typeof config === "string" ? { connectionString: config } : config),
    application_name: "guildhall watch",
    connectionTimeoutMillis: lookMs,
  });
}
