import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import type { CommandLossReason, PluginCommand } from "../../../models/plugin/plugin-command.ts";
import type { Context } from "../context.ts";
import { executeStatement, firstRow, rows } from "../db/rows.ts";
import { markCommandsLostSql } from "../plugin/commands.sql.ts";
import { type CommandOutcome, parseCommandOutcome } from "../plugin/commands.ts";
import { deleteLargeOutcomes, notifyCommandOutcomes } from "../plugin/outcomes.ts";
import { pluginLimits } from "../plugin/plugin-limits.ts";
import { WakeUpSubscription } from "../plugin/wake-ups.ts";
import {
  beginConsoleSql,
  endConsoleSql,
  keepConsoleAliveSql,
  loseTakenSql,
  mayExecuteSql,
  storeConsoleOutcomeSql,
  takeConsoleCommandsSql,
} from "./console-commands.sql.ts";
import type { SourceOwnership } from "./ownership.ts";
import { waitBeforeRetry } from "./retry-delay.ts";
import type { CommandSession, ConsoleCall, CommandFrameSource } from "./source.ts";

/** Seconds without a heartbeat after which the console counts as disconnected. */
const silentSeconds = 10;
const beatMs = 3_000;
/** Milliseconds between two polls for commands, in case a notification is lost. */
const pollMs = 2_000;
/** A session that ends waits this many milliseconds for the command that is being executed. */
const finishMs = 2_000;
/**
 * A check that takes longer is repeated: the command may have been marked as lost while the process was paused.
 */
const longestCheckMs = 1_000;

type Row = Pick<PluginCommand, "id" | "call" | "input">;

/**
 * Executes the commands for a game over its console, one after another, in the process that owns the game's
 * source. Each statement checks the owner's fence, so a former owner takes no command. A command that was
 * taken but not answered is marked as lost, because it may have run: the next owner never executes it.
 */
export class ConsoleCommands {
  readonly #owner: SourceOwnership;
  readonly #context: Pick<Context, "listener" | "log">;
  #ending = new AbortController();
  #serving: Promise<void> = Promise.resolve();
  #wanted: { readonly feed: CommandFrameSource; readonly session: CommandSession | null } | null =
    null;

  constructor(owner: SourceOwnership, context: Pick<Context, "listener" | "log">) {
    this.#owner = owner;
    this.#context = context;
  }

  /**
   * Ends the previous session, then executes commands over the feed until the session changes.
   * @param session null if the console executes no commands at present
   */
  follow(feed: CommandFrameSource, session: CommandSession | null): void {
    const wanted = { feed, session };
    const isSame = feed === this.#wanted?.feed && isDeepStrictEqual(session, this.#wanted.session);
    if (isSame && !this.#ending.signal.aborted) return;
    this.#wanted = wanted;
    this.#ending.abort();
    const ending = new AbortController();
    this.#ending = ending;
    this.#serving = this.#serving.then(() => this.#serve(feed, session, ending.signal));
  }

  /** Ends the session. Waits at most 2 seconds for the command that is being executed. */
  end(): Promise<void> {
    this.#ending.abort();
    return this.#serving;
  }

  /** Executes commands until the signal aborts. After an error, begins a new session. */
  async #serve(
    feed: CommandFrameSource,
    session: CommandSession | null,
    signal: AbortSignal,
  ): Promise<void> {
    do {
      const id = randomUUID();
      try {
        await this.#endSession(null);
        if (!session || signal.aborted) return;
        await this.#begin(id, session);
        await this.#work(feed, id, signal);
      } catch (error) {
        if (!this.#owner.lost.aborted) {
          this.#context.log.warn({ err: error }, "commands to a console could not be processed");
        }
        await waitBeforeRetry(signal);
      } finally {
        await this.#endSession(id).catch(() => undefined);
      }
    } while (!signal.aborted && !this.#owner.lost.aborted);
  }

  async #begin(id: string, { bootId, capabilities }: CommandSession): Promise<void> {
    const hello = JSON.stringify({ bootId, capabilities });
    await this.#change(beginConsoleSql, id, bootId, hello, silentSeconds);
  }

  /** @param id the session; null for all sessions of the source, including those of earlier owners */
  async #endSession(id: string | null): Promise<void> {
    const { source, fence } = this.#owner;
    await this.#change(endConsoleSql, id);
    await this.#owner.run(async (connection) => {
      const lost = await rows<{ id: string }>(connection, loseTakenSql, [source, fence, id]);
      await notifyCommandOutcomes(
        lost.map((one) => one.id),
        connection,
      );
    });
  }

  async #work(feed: CommandFrameSource, id: string, signal: AbortSignal): Promise<void> {
    const { listener, log } = this.#context;
    const wakeUps = new WakeUpSubscription(() => ends.forEach((end) => end()));
    const ends = [
      listener.on("plugin_calls", ({ source }) => {
        if (source === this.#owner.source) wakeUps.wake();
      }),
      listener.onGap(wakeUps.wake),
    ];
    const beat = () => this.#change(keepConsoleAliveSql, id, silentSeconds);
    const beating = setInterval(() => {
      beat().catch((error: unknown) => log.warn({ err: error }, "a console heartbeat failed"));
    }, beatMs);
    const failure = new AbortController();
    const ending = AbortSignal.any([signal, failure.signal]);
    // Take commands even while one is executed, because a command that nobody takes within 2 seconds expires.
    let turn = Promise.resolve();
    try {
      while (!ending.aborted) {
        const taken = await this.#take(id);
        for (const command of taken) {
          turn = turn
            .then(() => this.#process(feed, command, ending))
            .catch((error: unknown) => failure.abort(error));
        }
        if (taken.length === 0) await wakeUps.wait(pollMs, ending);
      }
    } finally {
      clearInterval(beating);
      wakeUps.unsubscribe();
      await turn;
    }
    failure.signal.throwIfAborted();
  }

  #take(id: string): Promise<Row[]> {
    const { source, fence } = this.#owner;
    const values = [source, fence, id, pluginLimits.commands];
    return this.#owner.run((connection) => rows<Row>(connection, takeConsoleCommandsSql, values));
  }

  async #process(feed: CommandFrameSource, { id, call, input }: Row, signal: AbortSignal) {
    if (signal.aborted || !(await this.#mayExecute(id))) return this.#lose(id, "unsent");
    const made = { params: {}, query: {}, body: null, ...input, call };
    const outcome = await this.#execute(feed, made, signal);
    if (outcome) await this.#store(id, outcome);
    else await this.#lose(id, signal.aborted ? "disconnected" : "overdue");
  }

  async #mayExecute(id: string): Promise<boolean> {
    const { source, fence } = this.#owner;
    for (;;) {
      const askedAt = performance.now();
      const found = await this.#owner.run((connection) =>
        firstRow(connection, mayExecuteSql, [source, fence, id]),
      );
      if (!found) return false;
      if (performance.now() - askedAt < longestCheckMs) return true;
    }
  }

  /** @returns null if the outcome is unknown */
  async #execute(
    feed: CommandFrameSource,
    made: ConsoleCall,
    signal: AbortSignal,
  ): Promise<CommandOutcome | null> {
    const finished = new AbortController();
    try {
      const execution = feed
        .execute(made)
        .then((said) => parseCommandOutcome(JSON.stringify(said)));
      const outcome = await Promise.race([execution, waitForEnd(signal, finished.signal)]);
      return outcome && "mayHaveRun" in outcome.body ? null : outcome;
    } catch (error) {
      this.#context.log.warn({ err: error, call: made.call }, "a console did not answer a command");
      return null;
    } finally {
      finished.abort();
    }
  }

  async #store(id: string, { status, body }: CommandOutcome): Promise<void> {
    const { source, fence } = this.#owner;
    const text = JSON.stringify(body);
    await this.#owner.run(async (connection) => {
      await rows(connection, storeConsoleOutcomeSql, [source, fence, id, status, text]);
      await notifyCommandOutcomes([id], connection);
      if (Buffer.byteLength(text) > pluginLimits.smallOutcomeBytes) {
        await deleteLargeOutcomes(source, connection);
      }
    });
  }

  async #lose(id: string, loss: CommandLossReason): Promise<void> {
    await this.#owner.run(async (connection) => {
      await rows(connection, markCommandsLostSql(loss, "id = $1::uuid"), [id]);
      await notifyCommandOutcomes([id], connection);
    });
  }

  #change(statement: string, ...values: readonly unknown[]): Promise<number> {
    const { source, fence } = this.#owner;
    return this.#owner.run((connection) =>
      executeStatement(connection, statement, [source, fence, ...values]),
    );
  }
}

/** Returns null `finishMs` after the session ends, or as soon as the command has finished. */
async function waitForEnd(session: AbortSignal, finished: AbortSignal): Promise<null> {
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  session.addEventListener("abort", end, { once: true, signal: finished });
  finished.addEventListener("abort", end, { once: true });
  if (session.aborted) end();
  await ended.promise;
  await sleep(finishMs, undefined, { signal: finished }).catch(() => undefined);
  return null;
}
