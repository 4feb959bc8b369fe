import type { Sequelize } from "sequelize";

import { countChanged, firstRow, rows } from "../../platform/db/rows.ts";
import {
  freeDialSql,
  reserveDialSql,
  selectSessionStartsSql,
  selectStoredGameSql,
} from "./console-store.sql.ts";
import type { StoredGame } from "./game-tracker.ts";

/** A dial that was asked for. */
export interface ConsoleDial {
  /** Milliseconds after which to ask again; 0 if the console may be dialed now. */
  readonly waitMs: number;
  /** Reports that the console did not refuse the password. */
  readonly free: () => Promise<void>;
}

/** The game of a console, as the site stored it. */
export interface StoredConsole {
  readonly game: StoredGame;
  /** Starts of the players' sessions in epoch milliseconds, by Steam id. */
  readonly starts: ReadonlyMap<string, number>;
}

/** Facts about a console that all processes share. */
export interface ConsoleStore {
  /**
   * Asks for a dial. A console bans an address for five minutes after five wrong passwords, so at most three dials in
   * five minutes may be refused, also if the link is saved again and again.
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
    const free = async () => void (await countChanged(sequelize, freeDialSql, [serverId, dial]));
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
