import type { PluginCommand } from "../../../models/plugin/plugin-command.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import type { CommandActor } from "../bridge/calls/call.ts";
import { executeStatement, firstRow } from "../db/rows.ts";
import type { Listener } from "../notify/listener.ts";
import {
  insertCommandSql,
  selectCommandOfKeySql,
  markCommandOverdueSql,
  selectCommandSql,
  withdrawCommandSql,
  deleteReadCommandSql,
  dropOutcomeSql,
} from "./commands.sql.ts";
import type { RepeatDigests } from "./digests.ts";
import { lostCommandError } from "./outcomes.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";
import { wasResyncRequestedSql } from "./sessions.sql.ts";
import { WakeUpListener } from "./wake-ups.ts";

export interface CommandRequest {
  readonly id: string;
  /** The method and path template of the call. */
  readonly call: string;
  readonly input: object;
  readonly digests: RepeatDigests;
  /** The capability that the plugin must have; null if the call needs none. */
  readonly capability: string | null;
  readonly actor: CommandActor | null;
  readonly key: string | null;
  readonly isRead: boolean;
  /** True if the caller may request the outcome again with the same key. */
  readonly isRepeatable: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface CommandAnswer {
  readonly status: number;
  /** The body as JSON text. */
  readonly body: string;
}

/** The program that takes and executes the commands of a link. */
export type CommandExecutor = "plugin" | "console";

const bells = new WeakMap<Listener, WakeUpListener>();

/** Returns the wake-ups that all links of a process share. */
function bellOf(listener: Listener): WakeUpListener {
  const bell = bells.get(listener) ?? WakeUpListener.outcomes(listener);
  bells.set(listener, bell);
  return bell;
}

/**
 * Waits for the outcomes of calls to one game server. Each call is a row. The server's plugin takes the row, or
 * the process that holds the connection to the server's console.
 */
export class PendingCommands {
  readonly #source: string;
  readonly #executor: CommandExecutor;
  readonly #sequelize: PluginServices["sequelize"];
  readonly #bell: WakeUpListener;

  constructor(
    { source, executor = "plugin" }: { source: string; executor?: CommandExecutor | undefined },
    { listener, sequelize }: Pick<PluginServices, "listener" | "sequelize">,
  ) {
    this.#source = source;
    this.#executor = executor;
    this.#sequelize = sequelize;
    this.#bell = bellOf(listener);
  }

  /**
   * Stores a call and waits for its outcome. A repeat with the same key waits for the first call's outcome.
   * @throws {BridgeError} SHARD_DOWN if no plugin takes or answers the call in time; UNSUPPORTED, CONFLICT
   * @throws the signal's reason if it aborts
   */
  async call(placing: CommandRequest): Promise<CommandAnswer> {
    placing.signal?.throwIfAborted();
    const id = await this.#place(placing);
    const hearing = this.#bell.subscribe(id);
    const beganAt = performance.now();
    try {
      for (;;) {
        const row = await this.#read(id);
        if (!row) throw notTakenError(this.#executor);
        if (row.state === "lost") throw lostCommandError(row.loss, placing.isRead);
        if (row.state === "answered") return await this.#settle(id, row, placing);
        await this.#giveUp(id, row.state, performance.now() - beganAt, placing);
        const ms = performance.now() - beganAt;
        const isEarly = row.state === "waiting" && ms < pluginLimits.takeMs;
        const restMs = (isEarly ? pluginLimits.takeMs : placing.timeoutMs) - ms;
        await hearing.wait(Math.max(1, restMs), placing.signal);
      }
    } catch (error) {
      // If this fails, the row is deleted later.
      await this.#leave(id, placing).catch(() => undefined);
      throw error;
    } finally {
      hearing.unsubscribe();
    }
  }

  /** Returns the health as a sidecar would report it, from the plugin's last hello. */
  async health(protocol: number): Promise<object> {
    const session = await firstRow<{
      bootId: string | null;
      isAlive: boolean;
      uptimeSec: number;
      capabilities: string[] | null;
    }>(
      this.#sequelize,
      `select boot_id as "bootId", coalesce(alive_until > clock_timestamp(), false) as "isAlive",
         coalesce(extract(epoch from clock_timestamp() - hello_at), 0)::float8 as "uptimeSec",
         hello -> 'capabilities' as capabilities
       from plugin_sessions where source = $1`,
      [this.#source],
    );
    if (!session?.bootId) throw notConnectedError(this.#executor);
    const { bootId, isAlive, uptimeSec, capabilities } = session;
    return {
      protocol,
      pluginConnected: isAlive,
      bootId,
      uptimeSec: Math.round(uptimeSec),
      capabilities: capabilities ?? [],
    };
  }

  /** Returns true if the answer to a hello requested a resync within the last 10 seconds. */
  async wasResyncRequested(): Promise<boolean> {
    const told = await firstRow(
      this.#sequelize,
      `select 1 as told from plugin_sessions
       where source = $1 and ${wasResyncRequestedSql}`,
      [this.#source],
    );
    return told !== undefined;
  }

  /** @returns the id of the row to wait for; for a repeated key, the id of its first command */
  async #place(placing: CommandRequest): Promise<string> {
    const { id, key } = placing;
    for (let tries = 0; tries < 3; tries += 1) {
      const placed = await firstRow<PlacementResult>(
        this.#sequelize,
        insertCommandSql,
        this.#valuesOf(placing),
      );
      if (!placed?.isAlive) throw notConnectedError(this.#executor);
      if (!placed.isAble) throw unsupportedError(this.#executor, placing);
      if (placed.isPlaced) return id;
      const first = await firstRow<FirstCommand>(this.#sequelize, selectCommandOfKeySql, [
        this.#source,
        key,
      ]);
      if (first && !placing.digests.include(first.digest)) throw new BridgeError("CONFLICT");
      if (first && !first.isOver) return first.id;
      if (first) await executeStatement(this.#sequelize, markCommandOverdueSql, [first.id]);
    }
    throw notTakenError(this.#executor);
  }

  #valuesOf(placing: CommandRequest) {
    const { id, call, input, digests, capability, actor, key, isRead, timeoutMs } = placing;
    return [
      this.#source,
      id,
      call,
      JSON.stringify(input),
      actor && JSON.stringify(actorOf(actor)),
      key,
      digests.stored,
      isRead,
      pluginLimits.takeMs,
      timeoutMs,
      capability,
      placing.isRepeatable ? "key" : "caller",
    ];
  }

  #read(id: string): Promise<Row | undefined> {
    return firstRow<Row>(this.#sequelize, selectCommandSql, [id]);
  }

  async #settle(
    id: string,
    { status, outcome }: Row,
    placing: CommandRequest,
  ): Promise<CommandAnswer> {
    if (outcome === null) throw outcomeDeletedError();
    await this.#leave(id, placing);
    return { status: status ?? 0, body: outcome };
  }

  /**
   * Ends the caller's wait. Deletes the row of a read, or the outcome of a command that the caller cannot repeat
   * by its key.
   */
  async #leave(id: string, { isRead, isRepeatable }: CommandRequest): Promise<void> {
    if (isRead) await executeStatement(this.#sequelize, deleteReadCommandSql, [id]);
    else if (!isRepeatable) await executeStatement(this.#sequelize, dropOutcomeSql, [id]);
  }

  /** Withdraws a command that was not taken in time, so that it is never executed later. */
  async #giveUp(
    id: string,
    state: Row["state"],
    ms: number,
    placing: CommandRequest,
  ): Promise<void> {
    const { signal, timeoutMs } = placing;
    if (state === "waiting") {
      if (ms < pluginLimits.takeMs && !signal?.aborted) return;
      const isWithdrawn = await this.#withdraw(id);
      signal?.throwIfAborted();
      if (isWithdrawn) throw notTakenError(this.#executor);
      // The plugin has taken the command since the last read, so wait for its answer.
      return;
    }
    if (ms < timeoutMs && !signal?.aborted) return;
    signal?.throwIfAborted();
    throw timeoutError(timeoutMs);
  }

  async #withdraw(id: string): Promise<boolean> {
    return (await executeStatement(this.#sequelize, withdrawCommandSql, [id])) > 0;
  }
}

/** Copies an actor without any other fields. */
const actorOf = ({ userId, username, role }: CommandActor): CommandActor => ({
  userId,
  username,
  role,
});

interface PlacementResult {
  readonly isAlive: boolean;
  readonly isAble: boolean;
  readonly isPlaced: boolean;
}

interface FirstCommand {
  readonly id: string;
  readonly digest: Buffer;
  /** True if no outcome is expected any more. */
  readonly isOver: boolean;
}

type Row = Pick<PluginCommand, "state" | "loss" | "status" | "outcome">;

const down = (reason: string, isUnsent: boolean): BridgeError =>
  new BridgeError("SHARD_DOWN", { reason, retryAfter: 10, isUnsent });

const notConnectedError = (executor: CommandExecutor): BridgeError =>
  down(`no ${executor} is connected`, true);

const notTakenError = (executor: CommandExecutor): BridgeError =>
  down(`the ${executor} did not take the command within ${pluginLimits.takeMs / 1_000} s`, true);

const timeoutError = (ms: number): BridgeError => down(`no answer in ${ms} ms`, false);

const outcomeDeletedError = (): BridgeError =>
  new BridgeError("TOO_LARGE", {
    reason: "the site no longer stores the outcome of the first command with this idempotency key",
    told:
      "The game server has already answered this command, but the site no longer stores the large " +
      "answer: do not repeat the command, and read the changed objects instead",
  });

function unsupportedError(executor: CommandExecutor, { capability }: CommandRequest): BridgeError {
  const code = capability === "atlas" ? "DISABLED" : "UNSUPPORTED";
  return new BridgeError(code, {
    reason: `the ${executor} does not have the capability ${capability}`,
  });
}
