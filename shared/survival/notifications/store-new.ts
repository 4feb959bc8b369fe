import type { Transaction } from "sequelize";

import type { SurvivalSentNotification } from "../../../models/survival/survival-sent-notification.ts";
import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { SourcedNotification } from "../kinds/notification.ts";
import { addToDailyQuota, lockDailyQuota } from "../storage/daily-quota.ts";
import { recordOmission } from "../storage/omissions.ts";
import { notificationRoutes } from "./registrations.ts";

/**
 * Stores the notices that are not duplicates and returns them. Notices of one server are limited per day.
 * Personal notices are not, because the number of rows that cause them is limited.
 */
export async function storeNewNotifications(
  notices: readonly SourcedNotification[],
  within: SqlClient | Transaction,
  bounds: StorageBounds,
): Promise<SourcedNotification[]> {
  const doubtful = notices.filter(({ isStoredOnce }) => !isStoredOnce);
  if (doubtful.length === 0) return [...notices];
  const left = new Set<string>();
  // Lock in a fixed order, so that transactions do not deadlock.
  const byServer = [...Map.groupBy(doubtful, boundedServer)].toSorted(
    ([one], [other]) => (one ?? 0) - (other ?? 0),
  );
  for (const [serverId, own] of byServer) {
    const added =
      serverId === null
        ? await insertNotifications(own, null, within)
        : await insertWithinDayLimit(own, serverId, within, bounds);
    for (const { source, trigger, eventKey } of added) left.add(`${source} ${trigger} ${eventKey}`);
  }
  // If the list contains duplicates, return only the first.
  return notices.filter(
    ({ isStoredOnce, source, id, key }) => isStoredOnce || left.delete(`${source} ${id} ${key}`),
  );
}

const boundedServer = ({ id, serverId }: SourcedNotification): number | null =>
  notificationRoutes[id].audience === "personal" ? null : serverId;

async function insertWithinDayLimit(
  notices: readonly SourcedNotification[],
  serverId: number,
  within: SqlClient | Transaction,
  bounds: StorageBounds,
): Promise<StoredNotification[]> {
  const part = { serverId, name: "notices" } as const;
  const noted = await insertNotifications(
    notices,
    await lockDailyQuota(part, bounds, within),
    within,
  );
  const added = noted.filter(({ isAdded }) => isAdded);
  await addToDailyQuota(part, added.length, within);
  await recordOmission({ ...part, count: noted.length - added.length }, bounds, within);
  return added;
}

interface StoredNotification extends Pick<
  SurvivalSentNotification,
  "source" | "trigger" | "eventKey"
> {
  /** False if the daily limit was reached. */
  readonly isAdded: boolean;
}

/** @param room maximum number of notices to add; null for no limit */
const insertNotifications = (
  notices: readonly SourcedNotification[],
  room: number | null,
  within: SqlClient | Transaction,
): Promise<StoredNotification[]> =>
  rows<StoredNotification>(within, statement, [
    notices.map(({ source }) => source),
    notices.map(({ id }) => id),
    notices.map(({ key }) => key),
    room,
  ]);

/** A notice that a concurrent transaction has added is not returned. */
const statement = `
  with given as (
    select source, trigger, event_key, min(place) as place
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality
      as told (source, trigger, event_key, place)
    where not exists (
      select from survival_notices known where known.source = told.source
        and known.trigger = told.trigger and known.event_key = told.event_key)
    group by 1, 2, 3
  ), fitting as (
    select * from given order by place limit $4::integer
  ), added as (
    insert into survival_notices (source, trigger, event_key)
    select source, trigger, event_key from fitting order by 1, 2, 3
    on conflict do nothing
    returning source, trigger, event_key
  )
  select source, trigger, event_key as "eventKey", true as "isAdded" from added
  union all
  select source, trigger, event_key, false from given
  where $4::integer is not null and place not in (select place from fitting)`;
