import { Op } from "sequelize";

import { clockAfter } from "../../../models/queries/clock.ts";
import { countChanged } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { PushContext } from "../context.ts";

/** What must have been taken up by then was left by a worker that died. */
const lateMs = 30_000;

/** Takes up what the jobs of dead workers left, and forgets what is long over. */
export async function sweepPushes(context: PushContext): Promise<void> {
  const { queue, sequelize, models } = context;
  await inTransaction(sequelize, async (transaction) => {
    const late = await models.Push.findAll({
      attributes: ["id"],
      where: undispatched,
      order: ["id"],
      limit: mostLate,
      transaction,
    });
    const orders = late.map(({ id }) => ({ pushId: id }));
    await queue.enqueueAll("push.dispatch", orders, transaction);
    const waiting = { where: unsent, group: ["origin"], transaction };
    const due = await models.PushDelivery.findAll({ attributes: ["origin"], ...waiting });
    const relays = due.map(({ origin }) => ({ origin }));
    await queue.enqueueAll("push.send", relays, transaction);
  });
  await countChanged(sequelize, overDeliveries);
  await countChanged(sequelize, overPushes);
}

/** Of one sweep. */
const mostLate = 1_000;

const undispatched = { dispatchedAt: null, createdAt: { [Op.lt]: clockAfter(-lateMs) } };

const unsent = { state: "waiting", nextAt: { [Op.lt]: clockAfter(-lateMs) } } as const;

/** Deliveries stand until all of their push are done with, so that none is made twice. */
const overDeliveries = `
  delete from push_deliveries using pushes
  where push_id = pushes.id and dispatched_at < clock_timestamp() - interval '1 day'
    and expires_at < clock_timestamp() - interval '1 day'`;

/** For as long as a push stands, what repeats it is passed over. */
const overPushes = `
  delete from pushes where created_at < clock_timestamp() - interval '30 days'`;
