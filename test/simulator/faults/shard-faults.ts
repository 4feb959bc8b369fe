import type { Game } from "../game/game.ts";
import type { Resync } from "../game/resync.ts";
import { artFamilies } from "../sources/assets.ts";
import type { Assets } from "../sources/assets.ts";
import { families, isFamily } from "../world/families.ts";
import { signupModes } from "../world/world.ts";
import type { ShardWorld } from "../world/world.ts";
import { controlFaults } from "./control-faults.ts";
import { FaultError, faultOf, requireKnownOption, timesOf } from "./fault.ts";
import type { SidecarFaultTarget } from "./fault.ts";
import { gameFaults } from "./game-faults.ts";
import { sources, tears } from "./shard-standing.ts";
import type { ActiveShardFaults } from "./shard-standing.ts";
import { streamFaults } from "./stream-faults.ts";

/** The parts of a shard that faults change. */
export interface ShardFaultTarget extends SidecarFaultTarget {
  readonly world: ShardWorld;
  readonly game: Game;
  readonly standing: ActiveShardFaults;
  readonly assets: Assets;
  readonly resync: Resync;
}

const fault = faultOf<ShardFaultTarget>();

/** CATALOGUE of the faults that only a shard has. */
const ownFaults = {
  /** Damages the next snapshot. With `now`, a snapshot is sent at once. */
  tear: fault(
    { family: "market", form: "noEnd", now: true },
    ({ standing, resync }, { family, form, now }) => {
      if (family !== "") requireKnownOption("family", family, families);
      standing.tear({ family, form: requireKnownOption("form", form, tears) });
      if (now) resync.ask(isFamily(family) ? [family] : families);
    },
  ),

  /** Sends pictures that differ from their description in `hash`, `bytes`, `mime` or `base64`. */
  badImage: fault({ times: 1, form: "hash" }, ({ standing }, { times, form }) => {
    requireKnownOption("form", form, ["hash", "bytes", "mime", "base64"]);
    standing.badImages = { left: timesOf(times), form };
  }),

  signupMode: fault({ mode: "disabled" }, ({ world }, { mode }) => {
    world.signupMode = requireKnownOption("mode", mode, signupModes);
  }),

  /** Answers requests for pictures with 422 `NO_IMAGING`, like a shard that cannot render them. */
  noImaging: fault({ on: true }, ({ standing }, { on }) => {
    standing.noImaging = on;
  }),

  /** Serves only these families of pictures, like an older plugin. */
  families: fault({ families: ["body"] }, ({ standing }, { families: served }) => {
    standing.families = served.map((family) => requireKnownOption("families", family, artFamilies));
  }),
};

/** CATALOGUE of faults of a source that is read page by page. */
const walkFaults = {
  /** Changes the source after this many more pages. */
  sourceChanged: fault({ source: "clilocs", after: 1 }, (scene, { source, after }) => {
    walkOf(scene, source).changeAfter = after;
  }),

  /** Makes the cursor stay at its place (`repeat`) or lead to empty pages (`empty`). */
  stuckCursor: fault({ source: "clilocs", form: "repeat" }, (scene, { source, form }) => {
    walkOf(scene, source).stuck = requireKnownOption("form", form, ["repeat", "empty"]);
  }),

  /** Adds this number to the counts in the manifest. */
  wrongCounts: fault({ source: "clilocs", by: 1 }, (scene, { source, by }) => {
    walkOf(scene, source).miscount = by;
  }),

  incomplete: fault({ source: "clilocs" }, (scene, { source }) => {
    walkOf(scene, source).incomplete = true;
  }),

  /**
   * Makes the manifest say `hashing: true` after this many reads without it. With 1, only the second read says
   * so, which comes at the end of an import.
   */
  hashing: fault({ source: "clilocs", after: 0 }, (scene, { source, after }) => {
    if (after < 0) throw new FaultError("after must not be negative");
    walkOf(scene, source).hashingAfter = after;
  }),

  /** Changes the pictures of existing keys, so that the catalog changes too. */
  redrawn: fault({ keys: ["body:17"] }, ({ assets }, { keys }) => assets.redraw(keys)),

  /** Makes pages contain a row that no schema accepts. */
  badPage: fault({ source: "clilocs", times: 1 }, (scene, { source, times }) => {
    walkOf(scene, source).badPages = timesOf(times);
  }),
};

const walkOf = ({ standing }: ShardFaultTarget, source: string) =>
  standing.walks[requireKnownOption("source", source, sources)];

/** CATALOGUE of all faults of a shard. */
export const shardFaults = {
  ...streamFaults,
  ...gameFaults,
  ...controlFaults,
  ...ownFaults,
  ...walkFaults,
};
