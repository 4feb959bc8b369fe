import type { Transaction } from "sequelize";

import type { PushSubscription } from "../../../models/push/push-subscription.ts";
import { type Announcement, publishFacts } from "../../facts/publish-facts.ts";
import { rolesOfStreams } from "../../facts/streams.ts";
import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { type SurvivalNotification, addNotificationSource } from "../kinds/notification.ts";
import { takeDailyQuota } from "../storage/daily-quota.ts";
import { type NotificationRoute, notificationRoutes } from "./registrations.ts";
import { renderNotifications, type RenderedNotification } from "./render.ts";
import { storeNewNotifications } from "./store-new.ts";

type Parts = Pick<Context, "queue" | "log" | "config">;

/**
 * Sends each notice once to event runs and subscribers. Call it last: it locks rows that other transactions wait
 * for.
 */
export async function sendNotifications(
  notices: readonly SurvivalNotification[],
  within: SqlClient | Transaction,
  context: Parts,
): Promise<void> {
  if (notices.length === 0) return;
  const { SURVIVAL_BOUNDS: bounds } = context.config;
  const fresh = await storeNewNotifications(notices.map(addNotificationSource), within, bounds);
  if (fresh.length === 0) return;
  const rendered = await renderNotifications(fresh, within);
  const announced = await applyDayLimits(rendered.filter(hasMessage), within, bounds);
  const announcements = await announcementsOf(announced, within);
  await publishFacts({ announcements }, { within, context });
  const bySource = [...Map.groupBy(rendered.filter(isPublic), ({ source }) => source)];
  // Lock in a fixed order, so that transactions do not deadlock.
  for (const [source, own] of bySource.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const happened = own.map(({ id, key, t, variables }) => ({
      trigger: id,
      eventKey: key,
      t,
      variables,
    }));
    await publishFacts({ triggers: { source, happened } }, { within, context });
  }
}

const isPublic = ({ isListed }: RenderedNotification): boolean => isListed;

/** True if subscribers get the notice. An unlisted server's notice is not sent to everybody. */
const hasMessage = ({ id, variables, isListed }: RenderedNotification): boolean => {
  const { audience, stream, isPushed } = notificationRoutes[id];
  const isOfAll = audience === "broadcast" || audience === "presence";
  return stream !== undefined && isPushed?.(variables) !== false && (isListed || !isOfAll);
};

/** Personal notices have no daily limit, because the number of rows that cause them is limited. */
const dayBounds = {
  broadcast: "pushes",
  presence: "pushes",
  staff: "staffPushes",
  personal: null,
} as const;

const dayBoundOf = ({ id }: SurvivalNotification) => {
  const { audience, dayBound }: NotificationRoute = notificationRoutes[id];
  return dayBound ?? dayBounds[audience];
};

/** Drops notices beyond the daily limit of their server. */
async function applyDayLimits(
  notices: readonly RenderedNotification[],
  within: SqlClient | Transaction,
  bounds: StorageBounds,
): Promise<RenderedNotification[]> {
  const announced: RenderedNotification[] = [];
  // Lock in a fixed order, so that transactions do not deadlock.
  const byServer = [...Map.groupBy(notices, ({ serverId }) => serverId)].toSorted(
    ([one], [other]) => (one ?? 0) - (other ?? 0),
  );
  for (const [serverId, own] of byServer) {
    const byBound = Map.groupBy(own, dayBoundOf);
    for (const name of [null, "pushes", "staffPushes", "reportPushes"] as const) {
      const those = byBound.get(name) ?? [];
      const isBounded = serverId !== null && name !== null && those.length > 0;
      const fitting = isBounded
        ? await takeDailyQuota({ serverId, name }, those.length, bounds, within)
        : those.length;
      announced.push(...those.slice(0, fitting));
    }
  }
  return announced;
}

/** Returns announcements: one for each staff member or user, or one for everybody. */
async function announcementsOf(
  notices: readonly RenderedNotification[],
  within: SqlClient | Transaction,
): Promise<Announcement[]> {
  const staff = notices.some(isForStaff) ? await readStaff(within) : [];
  const concerned = await readConcerned(notices, staff, within);
  return notices.flatMap((notice) => {
    const { audience, stream } = notificationRoutes[notice.id];
    const { id, source, key, t, serverId, userId } = notice;
    if (!stream) return [];
    const common = {
      stream,
      ref: notice.ref ?? `server:${serverId}`,
      key: `${source} ${id} ${key}`,
      happenedAt: t,
    };
    const toUser = (one: number) => ({ ...common, key: `${common.key} ${one}`, userId: one });
    if (audience === "staff") {
      return staff
        .filter((one) => one.stream === stream && !concerned.has(concernKey(one, notice)))
        .map((one) => toUser(one.userId));
    }
    if (audience === "personal") return userId === undefined ? [] : [toUser(userId)];
    return [common];
  });
}

const isForStaff = ({ id }: SurvivalNotification): boolean =>
  notificationRoutes[id].audience === "staff";

/** A staff member who subscribes to a stream for staff. */
interface StaffSubscriber extends Pick<PushSubscription, "userId" | "stream"> {
  readonly isAdmin: boolean;
}

const concernKey = (
  { userId }: Pick<StaffSubscriber, "userId">,
  { aboutSteamId }: Pick<SurvivalNotification, "aboutSteamId">,
): string => `${userId} ${aboutSteamId}`;

/** Finds the subscribers, except administrators, who own or owned a Steam account that a notice is about. */
async function readConcerned(
  notices: readonly SurvivalNotification[],
  staff: readonly StaffSubscriber[],
  within: SqlClient | Transaction,
): Promise<ReadonlySet<string>> {
  const steamIds = notices.flatMap(({ aboutSteamId }) => aboutSteamId ?? []);
  const userIds = staff.filter(({ isAdmin }) => !isAdmin).map(({ userId }) => userId);
  if (steamIds.length === 0 || userIds.length === 0) return new Set();
  const owners = await rows<{ userId: number; aboutSteamId: string }>(within, selectOwnersSql, [
    steamIds,
    userIds,
  ]);
  return new Set(owners.map((owner) => concernKey(owner, owner)));
}

const selectOwnersSql = `
  select user_id as "userId", steam_id as "aboutSteamId" from steam_links
  where steam_id = any($1::text[]) and user_id = any($2::integer[])
  union
  select actor_id, detail->>'steamId' from activity_log
  where actor_id = any($2::integer[]) and action = 'survival.link.removed'
    and detail->>'steamId' = any($1::text[])`;

/** Reads the subscribers of all streams for staff. Skips subscribers whose roles no longer allow the stream. */
const readStaff = (within: SqlClient | Transaction): Promise<StaffSubscriber[]> => {
  const allowed = Object.entries(rolesOfStreams).flatMap(([stream, roles]) =>
    roles.map((role) => ({ stream, role })),
  );
  return rows<StaffSubscriber>(
    within,
    `select distinct subscription.user_id as "userId", subscription.stream,
       users.role = 'admin' as "isAdmin"
     from push_subscriptions subscription
     join users on users.id = subscription.user_id and users.disabled_at is null
     join unnest($1::text[], $2::text[]) as allowed (stream, role)
       on allowed.stream = subscription.stream and allowed.role = users.role
     order by 1, 2`,
    [allowed.map(({ stream }) => stream), allowed.map(({ role }) => role)],
  );
};
