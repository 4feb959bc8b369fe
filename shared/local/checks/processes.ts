import {
  aliveProcesses,
  aliveWithinSeconds,
  type ProcessKind,
  processKinds,
  type SeenProcess,
} from "../../ops/processes.ts";
import { groupsWithQueues } from "../../queue/queues.ts";
import { version } from "../../version.ts";
import { type Check, fault, type Finding, ok } from "./check.ts";

/** One check for each kind of process: whether one gave a sign of life just now. */
export const processChecks: readonly Check[] = processKinds.map((kind) => ({
  name: kind,
  run: async ({ sequelize }) => {
    const alive = await aliveProcesses(sequelize);
    return findingOf(
      kind,
      alive.filter((process) => process.kind === kind),
    );
  },
}));

function findingOf(kind: ProcessKind, alive: readonly SeenProcess[]): Finding {
  if (alive.length === 0) {
    return fault(`no sign of life for ${aliveWithinSeconds} s`, `start it: npm run ${kind}`);
  }
  const unworked = kind === "worker" ? groupsWithout(alive) : [];
  if (unworked.length > 0) {
    return fault(`no worker takes ${unworked.join(", ")}`, "start one: npm run worker");
  }
  const other = alive.find((process) => process.version !== version);
  if (other) {
    return fault(
      `runs version ${other.version} on ${other.host}, this is ${version}`,
      "deploy the same version everywhere",
    );
  }
  return ok(alive.map(({ host, pid }) => `${host}, process ${pid}`).join("; "));
}

const groupsWithout = (alive: readonly SeenProcess[]): string[] =>
  groupsWithQueues.filter((group) => !alive.some(({ queueGroups: own }) => own.includes(group)));
