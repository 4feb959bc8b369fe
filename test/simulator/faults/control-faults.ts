import { fault, timesOf } from "./fault.ts";
import type { FaultScene } from "./fault.ts";
import type { AnswerFault, SpoilRule } from "./standing.ts";

/** Selects calls: empty matches all; `times` 0 is unlimited. */
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
  spoiling: AnswerFault,
  { method, path, times, carryOut = false }: Aim,
  more: Partial<Pick<SpoilRule, "ms" | "status" | "code" | "bytes">> = {},
): void {
  const rest = { ms: 0, status: 200, code: "", bytes: 0, ...more };
  standing.addRule({ spoiling, method, path, carryOut, left: timesOf(times), ...rest });
}

/** CATALOGUE of faults of control plane answers. */
export const controlFaults = {
  /** The call is executed at once and answered late. */
  slow: fault({ ...which, ms: 1_000 }, (scene, { ms, ...calls }) =>
    spoilCalls(scene, "slow", calls, { ms }),
  ),

  /** The call is executed at once and answered at `release` or when faults are cleared. */
  hold: fault(which, (scene, calls) => spoilCalls(scene, "hold", calls)),
  release: fault({}, ({ standing }) => standing.release()),

  /** Any status with any code: 500, 422 `BUSY`, 418. */
  status: fault({ ...aim, status: 500, code: "INTERNAL" }, (scene, { status, code, ...calls }) =>
    spoilCalls(scene, "status", calls, { status, code }),
  ),

  html: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "html", calls, { status }),
  ),

  /** Truncated JSON with a matching content length. */
  rubbish: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "rubbish", calls, { status }),
  ),

  /** The connection breaks within the answer, after `bytes`; 0 means half of it. */
  cut: fault({ ...which, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "cut", calls, { bytes }),
  ),

  /** The call is accepted and never answered. */
  hang: fault(aim, (scene, calls) => spoilCalls(scene, "hang", calls)),

  /** A huge body; `bytes` 0 means slightly above 32 MiB. */
  oversize: fault({ ...aim, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "oversize", calls, { bytes }),
  ),

  redirect: fault(aim, (scene, calls) => spoilCalls(scene, "redirect", calls)),
  unauthorized: fault(which, (scene, calls) => spoilCalls(scene, "unauthorized", calls)),

  /** 409 `PROTOCOL`, as from a sidecar of protocol `server`. */
  protocol: fault({ ...which, server: 9 }, (scene, { server, ...calls }) =>
    spoilCalls(scene, "protocol", calls, { status: server }),
  ),

  /** The whole sidecar disappears and returns on the same port after `ms`. */
  vanish: fault({ ms: 1_000 }, ({ vanish }, { ms }) => vanish(ms)),
};
