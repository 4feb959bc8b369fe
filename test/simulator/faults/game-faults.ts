import { fault, timesOf } from "./fault.ts";

/** CATALOGUE of faults of the game process and its commands. */
export const gameFaults = {
  /** Saves the world; a later crash reverts to this state. */
  save: fault({}, ({ game }) => game.save()),

  /**
   * A long save stops the game: it emits nothing, and commands take effect when it ends. The sidecar
   * answers them with 503 after `patienceMs`; 0 means it waits forever.
   */
  freeze: fault({ ms: 15_000, patienceMs: 0 }, ({ game, standing, later }, { ms, patienceMs }) => {
    standing.patienceMs = patienceMs;
    game.freeze();
    later(ms, () => game.thaw());
  }),

  /** The game process restarts with a new boot. A crash emits nothing and reverts to the last save. */
  restart: fault({ downMs: 100, crash: false }, ({ game, later }, { downMs, crash }) => {
    game.leave(crash ? "crash" : "restart");
    later(downMs, () => game.boot());
  }),

  /** The game process ends and stays away; for a crash see `restart`. */
  away: fault({ crash: false }, ({ game }, { crash }) => game.leave(crash ? "crash" : "shutdown")),

  /** The game process returns with a new boot. */
  back: fault({}, ({ game }) => game.boot()),

  /** Commands are answered 403 `WRITES_DISABLED`. */
  writesDisabled: fault({ on: true }, ({ standing }, { on }) => {
    standing.writesDisabled = on;
  }),

  /** The next commands are answered 429 `LIMIT`. */
  limit: fault({ times: 1 }, ({ standing }, { times }) => {
    standing.limited = timesOf(times);
  }),
};
