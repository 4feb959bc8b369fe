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
import type { ShardFaults } from "./shard-standing.ts";
import { streamFaults } from "./stream-faults.ts";

/** What a fault of a shard reaches into. */
export interface ShardFaultScene extends FaultScene {
  readonly world: World;
  readonly game: Game;
  readonly standing: ShardFaults;
  readonly assets: Assets;
  readonly resync: Resync;
}

const fault = faultOf<ShardFaultScene>();

/** CATALOGUE of what else can be wrong with a shard. */
const ownFaults = {
  /** Tears the next snapshot; `now` tells one at once, so that it is torn here and now. */
  tear: fault(
    { family: "market", form: "noEnd", now: true },
    ({ standing, resync }, { family, form, now }) => {
      if (family !== "") known("family", family, families);
      standing.tear({ family, form: known("form", form, tears) });
      if (now) resync.ask(isFamily(family) ? [family] : families);
    },
  ),

  /** Pictures whose bytes and word do not agree: `hash`, `bytes`, `mime` or `base64`. */
  badImage: fault({ times: 1, form: "hash" }, ({ standing }, { times, form }) => {
    known("form", form, ["hash", "bytes", "mime", "base64"]);
    standing.badImages = { left: timesOf(times), form };
  }),

  signupMode: fault({ mode: "disabled" }, ({ world }, { mode }) => {
    world.signupMode = known("mode", mode, signupModes);
  }),

  /** The shard cannot make pictures: 422 `NO_IMAGING`. */
  noImaging: fault({ on: true }, ({ standing }, { on }) => {
    standing.noImaging = on;
  }),

  /** An older plugin serves only these families of pictures. */
  families: fault({ families: ["body"] }, ({ standing }, { families: served }) => {
    standing.families = served.map((family) => known("families", family, artFamilies));
  }),
};

/** CATALOGUE of what goes wrong with a source while it is walked. */
const walkFaults = {
  /** The source becomes another after so many more pages. */
  sourceChanged: fault({ source: "clilocs", after: 1 }, (scene, { source, after }) => {
    walkOf(scene, source).changeAfter = after;
  }),

  /** The cursor stands still (`repeat`), or goes on over pages without rows (`empty`). */
  stuckCursor: fault({ source: "clilocs", form: "repeat" }, (scene, { source, form }) => {
    walkOf(scene, source).stuck = known("form", form, ["repeat", "empty"]);
  }),

  /** The manifest counts so many more than there are. */
  wrongCounts: fault({ source: "clilocs", by: 1 }, (scene, { source, by }) => {
    walkOf(scene, source).miscount = by;
  }),

  incomplete: fault({ source: "clilocs" }, (scene, { source }) => {
    walkOf(scene, source).incomplete = true;
  }),

  /** `hashing: true` after so many sound manifests: 1 is at the end of a walk alone. */
  hashing: fault({ source: "clilocs", after: 0 }, (scene, { source, after }) => {
    if (after < 0) throw new FaultError("after must not be negative");
    walkOf(scene, source).hashingAfter = after;
  }),

  /** Other pictures under the keys they had: the catalogue is another one then. */
  redrawn: fault({ keys: ["body:17"] }, ({ assets }, { keys }) => assets.redraw(keys)),

  /** Pages with a row that no schema lets through. */
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
