import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import type { EventContext } from "../context.ts";
import { specOf } from "../spec/stored-spec.ts";
import { materialise } from "./materialise.ts";

/**
 * Makes the runs that came within the horizon since they were made last, event by event. One that
 * fails keeps no other one back.
 * @throws AggregateError where some failed, once all others are made
 */
export async function materialiseAll(context: EventContext): Promise<void> {
  const { models, log } = context;
  const ready = await models.EventDefinition.findAll({
    attributes: ["id"],
    where: { state: "ready" },
    order: ["id"],
  });
  const failures: Error[] = [];
  for (const { id } of ready) {
    try {
      const made = await materialiseOne(id, context);
      if (made > 0) log.info({ definitionId: id, made }, "runs were made ahead");
    } catch (error) {
      log.error({ err: error, definitionId: id }, "runs were not made ahead");
      failures.push(new Error(`event ${id}: ${messageOf(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
}

/** @returns how many runs it made */
const materialiseOne = (id: number, { sequelize, models }: Context): Promise<number> =>
  inTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const definition = await models.EventDefinition.findByPk(id, { lock, transaction });
    if (definition?.state !== "ready" || definition.currentVersionId === null) return 0;
    const options = { transaction, rejectOnEmpty: true } as const;
    const version: EventVersion = await models.EventVersion.findByPk(
      definition.currentVersionId,
      options,
    );
    if (specOf(version).schedule.kind === "manual") return 0;
    const now = await readClock(transaction);
    return (await materialise(definition, version, now, transaction)).length;
  });
