import { fn, Op, col, type Transaction, type WhereOptions } from "sequelize";

import type { EventLogLine } from "../../../models/events/event-log-line.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { Models } from "../../../models/index.ts";
import { computed, plainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { parked } from "../machine/state.ts";
import type { RunStatus } from "../vocabulary.ts";

/** A run with the names of its relations, and how many of its steps wait for a person. */
export interface ListedRun {
  readonly run: EventRun;
  readonly waitingSteps: number;
}

const withNames = [
  { association: "definition", attributes: ["slug"] },
  { association: "version", attributes: ["number", "title", "timezone"] },
  { association: "starter", attributes: ["username"] },
];

/** Columns that no view shows and that may be large. */
const shown = { exclude: ["givenParams", "variables", "heard"] };

export interface RunSearch {
  readonly definitionId?: number | undefined;
  readonly status?: RunStatus | undefined;
  readonly limit: number;
}

/** Returns the newest runs first. */
export async function listRuns(
  { definitionId, status, limit }: RunSearch,
  { models }: Context,
): Promise<ListedRun[]> {
  const found = await models.EventRun.findAll({
    where: {
      ...(definitionId !== undefined && { definitionId }),
      ...(status !== undefined && { status }),
    },
    attributes: shown,
    include: withNames,
    order: [["id", "DESC"]],
    limit,
  });
  return withWaiting(found, models);
}

/** Returns the existing runs of these ids. */
export async function listRunsById(
  ids: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<ListedRun[]> {
  const where = { id: { [Op.in]: [...ids] } };
  const found = await models.EventRun.findAll({
    attributes: shown,
    where,
    include: withNames,
    order: ["id"],
  });
  return withWaiting(found, models);
}

/** Returns the existing steps of these ids. */
export const listStepsById = (
  ids: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<EventStep[]> =>
  models.EventStep.findAll({ where: { id: { [Op.in]: [...ids] } }, order: ["id"] });

/** @throws AppError missing when there is none */
export async function findRun(
  id: number,
  { models }: { readonly models: Models },
  transaction?: Transaction,
): Promise<ListedRun> {
  const options = { attributes: shown, include: withNames, ...(transaction && { transaction }) };
  const run = await models.EventRun.findByPk(id, options);
  if (!run) throw missing("Unknown run");
  const [listed] = await withWaiting([run], models, transaction);
  return listed as ListedRun;
}

async function withWaiting(
  runs: readonly EventRun[],
  { EventStep }: Models,
  transaction?: Transaction,
): Promise<ListedRun[]> {
  const where: WhereOptions = {
    runId: { [Op.in]: runs.map(({ id }) => id) },
    ...parked,
  };
  const counted = await plainRows(EventStep, {
    columns: ["runId"],
    computed: { count: computed<number>(fn("count", col("id"))) },
    where,
    group: ["runId"],
    ...(transaction && { transaction }),
  });
  const counts = new Map(counted.map(({ runId, count }) => [runId, count]));
  return runs.map((run) => ({ run, waitingSteps: counts.get(run.id) ?? 0 }));
}

/** Returns the newest lines of a run's log, oldest first. */
export async function readRunLog(
  runId: number,
  limit: number,
  { models }: Context,
): Promise<EventLogLine[]> {
  const newest = await models.EventLogLine.findAll({
    where: { runId },
    order: [["id", "DESC"]],
    limit,
  });
  return newest.toReversed();
}
