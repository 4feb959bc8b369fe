import { fn, Op, col, type Transaction, type WhereOptions } from "sequelize";

import type { EventLogLine } from "../../../models/events/event-log-line.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { Models } from "../../../models/index.ts";
import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { parkedFields } from "../machine/state.ts";
import type { RunStatus } from "../vocabulary.ts";

/** A run with the names of its event, version and starter, and its number of parked steps. */
export interface ListedRun {
  readonly run: EventRun;
  readonly waitingSteps: number;
}

const namedRelations = [
  { association: "definition", attributes: ["slug"] },
  { association: "version", attributes: ["number", "title", "timezone"] },
  { association: "starter", attributes: ["username"] },
];

/** Columns that no view shows and that may be large. */
const shownColumns = { exclude: ["givenParams", "variables", "heard"] };

export interface RunQuery {
  readonly definitionId?: number | undefined;
  readonly status?: RunStatus | undefined;
  readonly limit: number;
}

/** Returns the newest runs first. */
export async function listRuns(
  { definitionId, status, limit }: RunQuery,
  { models }: Context,
): Promise<ListedRun[]> {
  const found = await models.EventRun.findAll({
    where: {
      ...(definitionId !== undefined && { definitionId }),
      ...(status !== undefined && { status }),
    },
    attributes: shownColumns,
    include: namedRelations,
    order: [["id", "DESC"]],
    limit,
  });
  return addWaitingSteps(found, models);
}

/** Returns the existing runs of these ids. */
export async function listRunsById(
  ids: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<ListedRun[]> {
  const where = { id: { [Op.in]: [...ids] } };
  const found = await models.EventRun.findAll({
    attributes: shownColumns,
    where,
    include: namedRelations,
    order: ["id"],
  });
  return addWaitingSteps(found, models);
}

/** Returns the existing steps of these ids. */
export const listStepsById = (
  ids: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<EventStep[]> =>
  models.EventStep.findAll({ where: { id: { [Op.in]: [...ids] } }, order: ["id"] });

/** @throws AppError missing if no run has this id */
export async function findRun(
  id: number,
  { models }: { readonly models: Models },
  transaction?: Transaction,
): Promise<ListedRun> {
  const options = {
    attributes: shownColumns,
    include: namedRelations,
    ...(transaction && { transaction }),
  };
  const run = await models.EventRun.findByPk(id, options);
  if (!run) throw notFoundError("Unknown run");
  const [listed] = await addWaitingSteps([run], models, transaction);
  return listed as ListedRun;
}

async function addWaitingSteps(
  runs: readonly EventRun[],
  { EventStep }: Models,
  transaction?: Transaction,
): Promise<ListedRun[]> {
  const where: WhereOptions = {
    runId: { [Op.in]: runs.map(({ id }) => id) },
    ...parkedFields,
  };
  const counted = await readPlainRows(EventStep, {
    columns: ["runId"],
    computed: { count: computeColumn<number>(fn("count", col("id"))) },
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
