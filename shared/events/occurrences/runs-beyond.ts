import { col, Op } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { Context } from "../../platform/context.ts";
import { timingOf } from "../spec/stored-spec.ts";

/** Instants that have their run, by the ids of the events whose occurrences they would be. */
export type RunsBeyond = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Which instants beyond those that runs were made for have a run all the same: a person created it,
 * or a schedule that was less dense gave it. Such an occurrence gets no other run.
 * @param definitions with their current versions
 */
export async function readRunsBeyond(
  definitions: readonly EventDefinition[],
  { models }: Pick<Context, "models">,
): Promise<RunsBeyond> {
  const scopes = new Map(definitions.filter(isScheduled).map((one) => [one.id, scopeOf(one)]));
  const runs = await models.EventRun.findAll({
    attributes: ["definitionId", "scope", "scheduledFor"],
    where: {
      definitionId: [...scopes.keys()],
      rehearsal: false,
      isWithdrawn: false,
      scheduledFor: { [Op.gte]: col("definition.materialised_until") },
    },
    include: [{ association: "definition", attributes: [], required: true }],
  });
  const own = runs.filter(({ definitionId, scope }) => scope === scopes.get(definitionId));
  const byEvent = Map.groupBy(own, ({ definitionId }) => definitionId);
  return new Map(
    [...byEvent].map(([id, of]) => [id, new Set(of.map((run) => Number(run.scheduledFor)))]),
  );
}

/** Only of a schedule are runs made ahead as time goes on. */
const isScheduled = ({ currentVersion }: EventDefinition): boolean =>
  !!currentVersion && timingOf(currentVersion).schedule.kind !== "manual";

const scopeOf = ({ currentVersion }: EventDefinition): string | undefined =>
  currentVersion ? timingOf(currentVersion).scope : undefined;
