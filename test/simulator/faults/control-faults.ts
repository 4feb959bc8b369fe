import { fault, timesOf } from "./fault.ts";
import type { SidecarFaultTarget } from "./fault.ts";
import type { AnswerFault, AnswerFaultRule } from "./standing.ts";

/**
 * Options that select calls. An empty text selects all calls. With `times` 0 the fault lasts until
 * faults are cleared.
 */
const which = { method: "", path: "", times: 1 };
const aim = { ...which, carryOut: false };

interface Aim {
  readonly method: string;
  readonly path: string;
  readonly times: number;
  readonly carryOut?: boolean;
}

function spoilCalls(
  { standing }: SidecarFaultTarget,
  spoiling: AnswerFault,
  { method, path, times, carryOut = false }: Aim,
  more: Partial<Pick<AnswerFaultRule, "ms" | "status" | "code" | "bytes">> = {},
): void {
  const rest = { ms: 0, status: 200, code: "", bytes: 0, ...more };
  standing.addRule({ spoiling, method, path, carryOut, left: timesOf(times), ...rest });
}

/** CATALOGUE of faults of the control plane's answers. */
export const controlFaults = {
  /** Executes the call at once and answers it after `ms`. */
  slow: fault({ ...which, ms: 1_000 }, (scene, { ms, ...calls }) =>
    spoilCalls(scene, "slow", calls, { ms }),
  ),

  /** Executes the call at once and answers it when `release` is triggered or faults are cleared. */
  hold: fault(which, (scene, calls) => spoilCalls(scene, "hold", calls)),
  release: fault({}, ({ standing }) => standing.release()),

  /** Answers with any status and code, for example 500, 422 `BUSY` or 418. */
  status: fault({ ...aim, status: 500, code: "INTERNAL" }, (scene, { status, code, ...calls }) =>
    spoilCalls(scene, "status", calls, { status, code }),
  ),

  html: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "html", calls, { status }),
  ),

  /** Answers with truncated JSON whose content length is correct. */
  rubbish: fault({ ...aim, status: 200 }, (scene, { status, ...calls }) =>
    spoilCalls(scene, "rubbish", calls, { status }),
  ),

  /**
   * Ends the connection in the middle of the answer: after `bytes`, or after half of the answer if `bytes` is 0.
   */
  cut: fault({ ...which, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "cut", calls, { bytes }),
  ),

  /** Accepts the call and never answers it. */
  hang: fault(aim, (scene, calls) => spoilCalls(scene, "hang", calls)),

  /** Answers with a huge body. With `bytes` 0 it is slightly larger than 32 MiB. */
  oversize: fault({ ...aim, bytes: 0 }, (scene, { bytes, ...calls }) =>
    spoilCalls(scene, "oversize", calls, { bytes }),
  ),

  redirect: fault(aim, (scene, calls) => spoilCalls(scene, "redirect", calls)),
  unauthorized: fault(which, (scene, calls) => spoilCalls(scene, "unauthorized", calls)),

  /** Answers 409 `PROTOCOL`, like a sidecar whose protocol version is `server`. */
  protocol: fault({ ...which, server: 9 }, (scene, { server, ...calls }) =>
    spoilCalls(scene, "protocol", calls, { status: server }),
  ),

  /** Stops listening and returns on the same port after `ms`. */
  vanish: fault({ ms: 1_000 }, ({ vanish }, { ms }) => vanish(ms)),
};
