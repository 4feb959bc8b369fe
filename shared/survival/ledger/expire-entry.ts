import type { LedgerWhat } from "../../../models/survival/survival-ledger-entry.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { Ground } from "../kinds/handler.ts";

/** Something that ended in a world by itself. */
export interface Expiry {
  readonly serverId: number;
  readonly what: LedgerWhat;
  readonly ref: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly openedAt: number;
  readonly bootId: string | null;
}

/**
 * What comes under its own name once, or has an entry for each time that it was given. The game may
 * tell of one end in two ways, of which the first counts. Everything else comes again under its name.
 */
const endsOnce: readonly string[] = ["zone", "participation", "kit"] satisfies LedgerWhat[];

/**
 * Ends the last entry of the thing; one that was only sent is not in the game yet, so what ends there
 * is the one before. A thing that the ledger does not know is entered with its end, and so is each
 * further end of what comes again.
 */
export async function expireEntry(
  expiry: Expiry,
  { connection, room }: Pick<Ground, "connection" | "room">,
): Promise<void> {
  const { serverId, what, ref, reason, at, openedAt, bootId } = expiry;
  const values = [serverId, what, ref, reason, at, endsOnce.includes(what)];
  const found = await firstRow<{ isUnknown: boolean }>(connection, expireLast, values);
  if (!found?.isUnknown || (await room.take("ledger", 1)) === 0) return;
  await countChanged(connection, enter, [serverId, what, ref, reason, at, openedAt, bootId]);
}

const expireLast = `
  with last as (
    select id, state, ended_at from survival_ledger where server_id = $1 and what = $2 and ref = $3
    order by state = 'pushed', id desc limit 1
  ), ended as (
    update survival_ledger
    set state = 'expired', reason = $4, ended_at = to_timestamp($5::bigint / 1000.0)
    from last where survival_ledger.id = last.id and last.state in ('pushed', 'confirmed')
  )
  select not exists (
    select from last
    where $6::boolean or state in ('pushed', 'confirmed')
      or ended_at = to_timestamp($5::bigint / 1000.0)) as "isUnknown"`;

const enter = `
  insert into survival_ledger (server_id, what, ref, state, reason, ended_at, pushed_at, boot_id)
  values ($1, $2, $3, 'expired', $4, to_timestamp($5::bigint / 1000.0),
    to_timestamp($6::bigint / 1000.0), $7)`;
