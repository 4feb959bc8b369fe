import type { Transaction } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import type { Sql } from "../../db/sql.ts";
import { emitTriggers } from "../../events/gates/emit-triggers.ts";
import { announce, type Announcement } from "../../push/announce/announce.ts";
import { type PushStream, streams } from "../../push/catalogue/streams.ts";
import type { Notice } from "../frames/notice.ts";
import { keepFresh } from "./fresh-notices.ts";
import { registrations } from "./registrations.ts";
import { render, type ShownNotice } from "./shown-notices.ts";
import { withSource } from "./sourced-notice.ts";

type Parts = Pick<Context, "queue" | "log">;

/**
 * Tells runs of events and whoever wants messages what happened, each once. It is the last thing that
 * a transaction does, because it locks the sources that tell it.
 */
export async function tellNotices(
  notices: readonly Notice[],
  within: Sql | Transaction,
  context: Parts,
): Promise<void> {
  if (notices.length === 0) return;
  const fresh = await keepFresh(notices.map(withSource), within);
  if (fresh.length === 0) return;
  const rendered = await render(fresh, within);
  await announce(await announcementsOf(rendered, within), within, context);
  const bySource = [...Map.groupBy(rendered.filter(isOpen), ({ source }) => source)];
  // In one order, so that two transactions never wait for each other.
  for (const [source, own] of bySource.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const happened = own.map(({ id, key, t, variables }) => ({
      trigger: id,
      eventKey: key,
      t,
      variables,
    }));
    await emitTriggers(happened, { source, within, context });
  }
}

const isOpen = ({ isListed }: ShownNotice): boolean => isListed;

/** Staff and owners are named one by one; of a server that is not listed, staff alone are told. */
async function announcementsOf(
  notices: readonly ShownNotice[],
  within: Sql | Transaction,
): Promise<Announcement[]> {
  const staffIds = notices.some(isForStaff) ? await readStaff(within) : [];
  return notices.flatMap((notice) => {
    const { audience, stream, isPushed } = registrations[notice.id];
    const { id, source, key, t, serverId, userId, variables } = notice;
    if (!stream || isPushed?.(variables) === false) return [];
    const common = {
      stream,
      ref: notice.ref ?? `server:${serverId}`,
      key: `${source} ${id} ${key}`,
      happenedAt: t,
    };
    const toUser = (one: number) => ({ ...common, key: `${common.key} ${one}`, userId: one });
    if (audience === "staff") return staffIds.map(toUser);
    if (audience === "personal") return userId === undefined ? [] : [toUser(userId)];
    return notice.isListed ? [common] : [];
  });
}

const isForStaff = ({ id }: Notice): boolean => registrations[id].audience === "staff";

const staffStream = "survival.staff" satisfies PushStream;

async function readStaff(within: Sql | Transaction): Promise<number[]> {
  const found = await rows<Pick<User, "id">>(
    within,
    `select id from users where role = any($1::text[]) and disabled_at is null
       and exists (select from push_subscriptions where user_id = users.id and stream = $2)
     order by id`,
    [streams[staffStream].roles, staffStream],
  );
  return found.map(({ id }) => id);
}
