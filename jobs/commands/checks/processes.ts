import { hostname } from "node:os";

import type { Health } from "../../../shared/ops/health.ts";
import {
  aliveWithinSeconds,
  type ProcessKind,
  processKinds,
  readAliveProcesses,
  readInternalPorts,
  type RunningProcess,
} from "../../../shared/platform/job-records/processes.ts";
import { version } from "../../../shared/platform/process/version.ts";
import { groupsWithQueues } from "../../../shared/platform/queue/queues.ts";
import type { ShellContext } from "../launch/shell-context.ts";
import { type DoctorCheck, faultResult, type DoctorResult, okResult } from "./check.ts";
import { healthUrlOf } from "./health-address.ts";

/** One check per kind of process: a process of the kind must have a recent heartbeat. */
export const processChecks: readonly DoctorCheck[] = processKinds.map((kind) => ({
  name: kind,
  run: async (context) => {
    const alive = await readAliveProcesses(context.models);
    const ofKind = alive.filter((process) => process.kind === kind);
    return faultOf(kind, ofKind) ?? checkHealth(ofKind, context);
  },
}));

function faultOf(kind: ProcessKind, alive: readonly RunningProcess[]): DoctorResult | undefined {
  if (alive.length === 0) {
    return faultResult(
      `no process has reported for ${aliveWithinSeconds} s`,
      `start it: npm run ${kind}`,
    );
  }
  const unworked = kind === "worker" ? groupsWithout(alive) : [];
  if (unworked.length > 0) {
    return faultResult(
      `no worker runs the jobs of the groups ${unworked.join(", ")}`,
      "start one: npm run worker",
    );
  }
  const other = alive.find((process) => process.version !== version);
  if (other) {
    return faultResult(
      `the process on ${other.host} has version ${other.version}, but this is version ${version}`,
      "deploy the same version everywhere",
    );
  }
  return undefined;
}

/** Requests the health of each process on this machine, at the port that the process has stored. */
async function checkHealth(
  alive: readonly RunningProcess[],
  { config, models }: ShellContext,
): Promise<DoctorResult> {
  const ports = await readInternalPorts(models);
  const names: string[] = [];
  for (const { id, host, pid } of alive) {
    const port = ports.get(id);
    const isHere = port !== undefined && host === hostname();
    const failing = isHere ? await failingChecks(healthUrlOf(config, port)) : [];
    const name = `${host}, process ${pid}${port === undefined ? "" : `, health on port ${port}`}`;
    if (failing.length > 0) {
      return faultResult(
        `${name}: ${failing.join("; ")}`,
        "see the log of the process, which tries again by itself",
      );
    }
    names.push(name);
  }
  return okResult(names.join("; "));
}

const answerWithinMs = 2_000;

/**
 * Returns the failing checks of a process. Returns none if the process does not answer, because a process in a
 * container may be unreachable.
 */
async function failingChecks(url: string): Promise<string[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
    const { checks } = (await response.json()) as Health;
    return Object.entries(checks)
      .filter(([, { ok: isOk }]) => !isOk)
      .map(([name, { detail }]) => `${name}: ${detail}`);
  } catch {
    return [];
  }
}

const groupsWithout = (alive: readonly RunningProcess[]): string[] =>
  groupsWithQueues.filter((group) => !alive.some(({ queueGroups: own }) => own.includes(group)));
