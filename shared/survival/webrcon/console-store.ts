import type { Sequelize } from "sequelize";

import { executeStatement, firstRow, rows } from "../../platform/db/rows.ts";
import {
  freeDialSql,
  reserveDialSql,
  selectSessionStartsSql,
  selectStoredGameSql,
} from "./console-store.sql.ts";
import type { StoredGame } from "./game-tracker.ts";

/** The answer to a request to connect to a console. */
export interface ConsoleDial {
  /** Milliseconds after which to ask again; 0 if the console may be dialed now. */
  readonly waitMs: number;
  /** Removes the dial from the count, because the console did not refuse the password. */
  readonly free: () => Promise<void>;
}

/** The game and the sessions that the site stored for a console. */
export interface StoredConsole {
  readonly game: StoredGame;
  /** Starts of the players' sessions in epoch milliseconds, by Steam id. */
  readonly starts: ReadonlyMap<string, number>;
}

/** Data about a console in the database, which all processes share. */
export interface ConsoleStore {
  /**
   * Requests permission to connect. A console bans an address for five minutes after five wrong passwords,
   * so at most three dials in five minutes may be refused, even if the link is saved again.
   */
  readonly reserveDial: () => Promise<ConsoleDial>;
  readonly read: () => Promise<StoredConsole>;
}

const deletedWaitMs = 60_000;

export const consoleStore = (serverId: number, sequelize: Sequelize): ConsoleStore => ({
  reserveDial: async () => {
    const found = await firstRow<{ dial: string | null; waitMs: number | null }>(
      sequelize,
      reserveDialSql,
      [serverId],
    );
    const dial = found?.dial ?? null;
    if (dial === null) {
      const waitMs = Math.max(1, Math.ceil(found?.waitMs ?? deletedWaitMs));
      return { waitMs, free: () => Promise.resolve() };
    }
    const free = async () =>
      void (await executeStatement(sequelize, freeDialSql, [serverId, dial]));
    return { waitMs: 0, free };
  },
  read: async () => {
    const game = await firstRow<StoredGame>(sequelize, selectStoredGameSql, [serverId]);
    const sessions = await rows<{ steamId: string; connectedAt: number }>(
      sequelize,
      selectSessionStartsSql,
      [serverId],
    );
    return {
      game: game ?? { bootId: null, startedAt: null, saveId: null },
      starts: new Map(sessions.map(({ steamId, connectedAt }) => [steamId, connectedAt])),
    };
  },
});
