import type { Game } from "../game/game.ts";
import type { Resync } from "../game/resync.ts";
import { artFamilies } from "../sources/assets.ts";
import type { Assets } from "../sources/assets.ts";
import { families, isFamily } from "../world/families.ts";
import { signupModes } from "../world/world.ts";
import type { World } from "../world/world.ts";
import { controlFaults } from "./control-faults.ts";
import { FaultError, faultOf, known, timesOf } from "./fault.ts";
import type { FaultScene } from "./fault.ts";
import { gameFaults } from "./game-faults.ts";
import { sources, tears } from "./shard-standing.ts";
import type { ActiveShardFaults } from "./shard-standing.ts";
import { streamFaults } from "./stream-faults.ts";

/** The parts of a shard that faults change. */
export interface ShardFaultScene extends FaultScene {
  readonly world: World;
  readonly game: Game;
  readonly standing: ActiveShardFaults;
  readonly assets: Assets;
  readonly resync: Resync;
}

const fault = faultOf<ShardFaultScene>();

/** CATALOGUE of the other faults of a shard. */
const ownFaults = {
  /** Tears the next snapshot; `now` sends one immediately. */
  tear: fault(
    { family: "market", form: "noEnd", now: true },
    ({ standing, resync }, { family, form, now }) => {
      if (family !== "") known("family", family, families);
      standing.tear({ family, form: known("form", form, tears) });
      if (now) resync.ask(isFamily(family) ? [family] : families);
    },
  ),

  /** Pictures that differ from their description: `hash`, `bytes`, `mime` or `base64`. */
  badImage: fault({ times: 1, form: "hash" }, ({ standing }, { times, form }) => {
    known("form", form, ["hash", "bytes", "mime", "base64"]);
    standing.badImages = { left: timesOf(times), form };
  }),

  signupMode: fault({ mode: "disabled" }, ({ world }, { mode }) => {
    world.signupMode = known("mode", mode, signupModes);
  }),

  /** The shard cannot render pictures: 422 `NO_IMAGING`. */
  noImaging: fault({ on: true }, ({ standing }, { on }) => {
    standing.noImaging = on;
  }),

  /** An older plugin serves only these families of pictures. */
  families: fault({ families: ["body"] }, ({ standing }, { families: served }) => {
    standing.families = served.map((family) => known("families", family, artFamilies));
  }),
};

/** CATALOGUE of faults of a source during paging. */
const walkFaults = {
  /** The source changes after this many more pages. */
  sourceChanged: fault({ source: "clilocs", after: 1 }, (scene, { source, after }) => {
    walkOf(scene, source).changeAfter = after;
  }),

  /** The cursor does not advance (`repeat`) or leads to empty pages (`empty`). */
  stuckCursor: fault({ source: "clilocs", form: "repeat" }, (scene, { source, form }) => {
    walkOf(scene, source).stuck = known("form", form, ["repeat", "empty"]);
  }),

  /** The manifest counts this many too many. */
  wrongCounts: fault({ source: "clilocs", by: 1 }, (scene, { source, by }) => {
    walkOf(scene, source).miscount = by;
  }),

  incomplete: fault({ source: "clilocs" }, (scene, { source }) => {
    walkOf(scene, source).incomplete = true;
  }),

  /** The manifest says `hashing: true` after this many normal ones; 1 affects only the end of a walk. */
  hashing: fault({ source: "clilocs", after: 0 }, (scene, { source, after }) => {
    if (after < 0) throw new FaultError("after must not be negative");
    walkOf(scene, source).hashingAfter = after;
  }),

  /** Changes the pictures under existing keys, which also changes the catalog. */
  redrawn: fault({ keys: ["body:17"] }, ({ assets }, { keys }) => assets.redraw(keys)),

  /** Pages with a row that violates every schema. */
  badPage: fault({ source: "clilocs", times: 1 }, (scene, { source, times }) => {
    walkOf(scene, source).badPages = timesOf(times);
  }),
};

const walkOf = ({ standing }: ShardFaultScene, source: string) =>
  standing.walks[known("source", source, sources)];

/** CATALOGUE of the faults of a shard. */
export const shardFaults = {
  ...streamFaults,
  ...gameFaults,
  ...controlFaults,
  ...ownFaults,
  ...walkFaults,
};
