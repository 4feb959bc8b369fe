import { fault, FaultError, known, timesOf } from "./fault.ts";
import type { FaultScene } from "./fault.ts";
import { sources } from "./standing.ts";
import type { Spoiling, SpoilRule } from "./standing.ts";

/** Which calls are spoiled: empty for any, and `times` 0 for every one of them. */
const which = { method: "", path: "", times: 1 };
const aim = { ...which, carryOut: false };

interface Aim {
  readonly method: string;
  readonly path: string;
  readonly times: number;
  readonly carryOut?: boolean;
}

function spoilCalls(
  { standing }: FaultScene,
  spoiling: Spoiling,
  { method, path, times, carryOut = false }: Aim,
  more: Partial<Pick<SpoilRule, "ms" | "status" | "code" | "bytes">> = {},
): void {
  const rest = { ms: 0, status: 200, code: "", bytes: 0, ...more };
  standing.addRule({ spoiling, method, path, carryOut, left: timesOf(times), ...rest });
}

/** CATALOGUE of what goes wrong with answers of the control plane. */
export const controlFaults = {
  /** The call is carried out at once and answered late. */
  slow: fault({ ...which, ms: 1_000 }, (scene, { ms, ...calls }) =>
    spoilCalls(scene, "slow", calls, { ms }),
  ),

  /** Any status with any code: 500, 422 `BUSY`, 418. */
  status: fault({ ...aim, status: 500, code: "INTERNAL" }, (scene, { status, code, ...calls }) =>
    spoilCalls(scene, "status", calls, { status, code }),
  ),

  html: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "html", calls, { status }),
  ),

  /** JSON that ends too soon, under a length that is right. */
  rubbish: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "rubbish", calls, { status }),
  ),

  /** The connection breaks in the middle of the answer; `bytes` 0 is half of it. */
  cut: fault({ ...which, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "cut", calls, { bytes }),
  ),

  /** The call is taken and never answered. */
  hang: fault(aim, (scene, calls) => spoilCalls(scene, "hang", calls)),

  /** A body without an end in sight; `bytes` 0 is a little over 32 MiB. */
  oversize: fault({ ...aim, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "oversize", calls, { bytes }),
  ),

  redirect: fault(aim, (scene, calls) => spoilCalls(scene, "redirect", calls)),
  unauthorized: fault(which, (scene, calls) => spoilCalls(scene, "unauthorized", calls)),

  /** 409 `PROTOCOL`, as from a sidecar of protocol `server`. */
  protocol: fault({ ...which, server: 9 }, (scene, { server, ...calls }) =>
    spoilCalls(scene, "protocol", calls, { status: server }),
  ),

  /** Pictures whose bytes and word do not agree: `hash`, `bytes`, `mime` or `base64`. */
  badImage: fault({ times: 1, form: "hash" }, ({ standing }, { times, form }) => {
    known("form", form, ["hash", "bytes", "mime", "base64"]);
    standing.badImages = { left: timesOf(times), form };
  }),

  /** The whole sidecar is gone, and back on the same port after `ms`. */
  vanish: fault({ ms: 1_000 }, ({ vanish }, { ms }) => vanish(ms)),
};

/** CATALOGUE of what goes wrong with a source while it is walked. */
export const walkFaults = {
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

const walkOf = ({ standing }: FaultScene, source: string) =>
  standing.walks[known("source", source, sources)];
