import { countChanged, firstRow, rows } from "../../platform/db/rows.ts";
import type { HandlerContext, Handlers } from "../kinds/handler.ts";
import { scheduleDelivery } from "./entitlements.ts";

export const kitHandlers: Handlers = {
  // A repeated frame has the same time, so each use is counted once.
  "kit.redeemed": async ({ payload: { entitlementId, at } }, { serverId, connection }) => {
    if (entitlementId === null || entitlementId === undefined) return;
    await countChanged(connection, redeem, [entitlementId, serverId, at]);
  },
};

/** A redeemed kit has arrived. Sending it again with fewer uses under the same key would be refused. */
const redeem = `
  with redeemed as (
    update survival_entitlements
    set used = least(uses, used + 1), redeemed_at = to_timestamp($3::float8 / 1000.0),
      state = case when used + 1 >= uses then 'redeemed' else 'delivered' end,
      delivered_at = case when state = 'pending' then clock_timestamp() else delivered_at end,
      error = null
    where id = $1 and server_id = $2 and state in ('pending', 'delivered')
      and (redeemed_at is null or redeemed_at < to_timestamp($3::float8 / 1000.0))
    returning id, server_id
  )
  update survival_ledger entry set state = 'confirmed', confirmed_at = clock_timestamp()
  from redeemed
  where entry.server_id = redeemed.server_id and entry.what = 'kit'
    and entry.ref = redeemed.id::text and entry.state = 'pushed'`;

/** Makes kits pending after a wipe, because their mod may forget them. Each needs a ledger entry. */
export async function resetKitsAfterWipe({
  serverId,
  connection,
  context,
  room,
}: HandlerContext): Promise<void> {
  const untaken = await firstRow<{ count: number }>(connection, countUntaken, [serverId]);
  const most = await room.take("ledger", untaken?.count ?? 0);
  if (most === 0) return;
  await countChanged(connection, renewUntaken, [serverId, most]);
  await scheduleDelivery(serverId, context, connection);
}

const untakenSql = `server_id = $1 and state = 'delivered'
  and (expires_at is null or expires_at > clock_timestamp())`;

const countUntaken = `
  select count(*)::integer as count from (
    select from survival_entitlements where ${untakenSql} order by id for no key update) untaken`;

const renewUntaken = `
  with again as (
    update survival_entitlements set state = 'pending', round = round + 1
    where id in (
      select id from survival_entitlements where ${untakenSql} order by id limit $2)
    returning id, server_id, run_id, step_id
  )
  insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
  select server_id, 'kit', id::text, 'pushed', run_id, step_id from again order by id`;

/** Schedules the delivery of pending kits when the game is back. */
export async function schedulePendingDelivery({
  serverId,
  connection,
  context,
}: HandlerContext): Promise<void> {
  const waiting = await rows(
    connection,
    "select from survival_entitlements where server_id = $1 and state = 'pending' limit 1",
    [serverId],
  );
  if (waiting.length > 0) await scheduleDelivery(serverId, context, connection);
}

/** Ends a kit that the game removed. After a wipe it is pending again if the ledger has space. */
export async function expireKit(
  { serverId, connection, context, room }: HandlerContext,
  ref: string,
  reason: string,
): Promise<void> {
  const delivered = await rows(connection, lockDelivered, [ref, serverId]);
  if (delivered.length === 0) return;
  const isAgain = reason === "wipe" && (await room.take("ledger", 1)) === 1;
  await countChanged(connection, endKit, [ref, serverId, isAgain]);
  if (isAgain) await scheduleDelivery(serverId, context, connection);
}

const lockDelivered = `
  select from survival_entitlements
  where id::text = $1 and server_id = $2 and state = 'delivered' for no key update`;

/** Begins a new round for a kit that is pending again: each delivery has its own ledger entry. */
const endKit = `
  with taken as (
    update survival_entitlements
    set state = case when $3::boolean then 'pending' else 'expired' end,
      round = round + case when $3::boolean then 1 else 0 end
    where id::text = $1 and server_id = $2 and state = 'delivered'
    returning id, server_id, run_id, step_id
  )
  insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
  select server_id, 'kit', id::text, 'pushed', run_id, step_id from taken where $3::boolean`;
