import { fault, timesOf } from "./fault.ts";

/** CATALOGUE of faults of the game and of its commands. */
export const gameFaults = {
  /** Saves the world. A later crash restores this save. */
  save: fault({}, ({ game }) => game.save()),

  /**
   * Blocks the game, like a long save. The game emits nothing, and commands take effect after the block. The
   * sidecar answers these commands with 503 after `patienceMs`, or after the block if `patienceMs` is 0.
   */
  freeze: fault({ ms: 15_000, patienceMs: 0 }, ({ game, standing, later }, { ms, patienceMs }) => {
    standing.patienceMs = patienceMs;
    game.freeze();
    later(ms, () => game.thaw());
  }),

  /** Restarts the game with a new boot. A crash emits nothing and restores the last save. */
  restart: fault({ downMs: 100, crash: false }, ({ game, later }, { downMs, crash }) => {
    game.leave(crash ? "crash" : "restart");
    later(downMs, () => game.boot());
  }),

  /** Ends the game for good. For a crash, see `restart`. */
  away: fault({ crash: false }, ({ game }, { crash }) => game.leave(crash ? "crash" : "shutdown")),

  /** Starts the game again with a new boot. */
  back: fault({}, ({ game }) => game.boot()),

  /** Answers commands with 403 `WRITES_DISABLED`. */
  writesDisabled: fault({ on: true }, ({ standing }, { on }) => {
    standing.writesDisabled = on;
  }),

  /** Answers the next commands with 429 `LIMIT`. */
  limit: fault({ times: 1 }, ({ standing }, { times }) => {
    standing.limited = timesOf(times);
  }),
};
