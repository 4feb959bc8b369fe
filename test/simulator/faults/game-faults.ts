import { fault, timesOf } from "./fault.ts";

/** CATALOGUE of what befalls the game process, and of how commands are let through. */
export const gameFaults = {
  /** A save: what a crash goes back to from now on. */
  save: fault({}, ({ game }) => game.save()),

  /**
   * A long save stops the game: it says nothing, and commands take effect when it is over. The sidecar
   * answers them 503 after `patienceMs`; with 0 it waits for as long as it takes.
   */
  freeze: fault({ ms: 15_000, patienceMs: 0 }, ({ game, standing, later }, { ms, patienceMs }) => {
    standing.patienceMs = patienceMs;
    game.freeze();
    later(ms, () => game.thaw());
  }),

  /**
   * The game process ends and comes back under a new boot. A crash says nothing before, and its world
   * is what it was at the last save.
   */
  restart: fault({ downMs: 100, crash: false }, ({ game, later }, { downMs, crash }) => {
    game.leave(crash ? "crash" : "restart");
    later(downMs, () => game.boot());
  }),

  /** The game process ends and stays away; a crash as with `restart`. */
  away: fault({ crash: false }, ({ game }, { crash }) => game.leave(crash ? "crash" : "shutdown")),

  /** The game process comes back under a new boot. */
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
