import { artFamilies } from "../sources/assets.ts";
import { signupModes } from "../world/world.ts";
import { fault, known, timesOf } from "./fault.ts";

/** CATALOGUE of what befalls the game process, and of how the shard is set. */
export const gameFaults = {
  /** The game process ends and comes back under a new boot; a crash says nothing before. */
  restart: fault({ downMs: 100, crash: false }, ({ game, later }, { downMs, crash }) => {
    game.leave(crash ? "crash" : "restart");
    later(downMs, () => game.boot());
  }),

  /** The game process ends and stays away. */
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

  signupMode: fault({ mode: "disabled" }, ({ world }, { mode }) => {
    world.signupMode = known("mode", mode, signupModes);
  }),

  /** The shard cannot make pictures: 422 `NO_IMAGING`. */
  noImaging: fault({ on: true }, ({ standing }, { on }) => {
    standing.noImaging = on;
  }),

  /** An older plugin serves only these families of pictures. */
  families: fault({ families: ["body"] }, ({ standing }, { families }) => {
    standing.families = families.map((family) => known("families", family, artFamilies));
  }),
};
