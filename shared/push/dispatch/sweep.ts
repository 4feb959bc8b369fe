import type { PushDelivery } from "../../../models/push/push-delivery.ts";
import type { Context } from "../../context.ts";
import { countChanged, rows } from "../../db/rows.ts";
import { inTransaction } from "../../db/transaction.ts";

/** What must have been taken up by then was left by a worker that died. */
const lateSeconds = 30;

/** Takes up what the jobs of dead workers left, and forgets what is long over. */
export async function sweepPushes(context: Context): Promise<void> {
  await inTransaction(context.sequelize, async (transaction) => {
    const late = await rows<Pick<PushDelivery, "pushId">>(transaction, undispatched, [lateSeconds]);
    await context.queue.enqueueAll("push.dispatch", late, transaction);
    const due = await rows<Pick<PushDelivery, "origin">>(transaction, unsent, [lateSeconds]);
    await context.queue.enqueueAll("push.send", due, transaction);
  });
  await countChanged(context.sequelize, overDeliveries);
  await countChanged(context.sequelize, overPushes);
}

const undispatched = `
  select id as "pushId" from pushes
  where dispatched_at is null and created_at < clock_timestamp() - make_interval(secs => $1)
  order by id limit 1000`;

const unsent = `
  select distinct origin from push_deliveries
  where state = 'waiting' and next_at < clock_timestamp() - make_interval(secs => $1)`;

/** Deliveries stand until all of their push are done with, so that none is made twice. */
const overDeliveries = `
  delete from push_deliveries using pushes
  where push_id = pushes.id and dispatched_at < clock_timestamp() - interval '1 day'
    and expires_at < clock_timestamp() - interval '1 day'`;

/** For as long as a push stands, what repeats it is passed over. */
const overPushes = `
  delete from pushes where created_at < clock_timestamp() - interval '30 days'`;
