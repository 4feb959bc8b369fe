import type { Transaction } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import type { SurvivalNotice } from "../../../models/survival/survival-notice.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SurvivalVisibility } from "../../../models/survival/survival-visibility.ts";
import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import type { Sql } from "../../db/sql.ts";
import { emitTriggers } from "../../events/gates/emit-triggers.ts";
import { announce, type Announcement } from "../../push/announce/announce.ts";
import type { Notice } from "../frames/notice.ts";
import { sourceNameOf } from "../server-rows/source-name.ts";
import { shownSeed } from "../servers/shown-seed.ts";
import {
  mergeSurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "../visibility/visibility.ts";
import { resolveNextWipe } from "../wipes/next-wipe.ts";
import type { WipeSchedule } from "../wipes/wipe-schedule.ts";
import { newsOf } from "./news.ts";
import { namesOfPresence, registrations } from "./registrations.ts";

/** A notice with what is told of its server. */
interface Rendered extends Notice {
  readonly source: string;
}

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

const withSource = (notice: Notice): Rendered => ({
  ...notice,
  source: notice.serverId === null ? "survival" : sourceNameOf(notice.serverId),
});

/** Those that were not told before. */
async function keepFresh(
  notices: readonly Rendered[],
  within: Sql | Transaction,
): Promise<Rendered[]> {
  const doubtful = notices.filter(({ isStoredOnce }) => !isStoredOnce);
  if (doubtful.length === 0) return [...notices];
  const added = await rows<Told>(within, note, [
    doubtful.map(({ source }) => source),
    doubtful.map(({ id }) => id),
    doubtful.map(({ key }) => key),
  ]);
  const left = new Set(
    added.map(({ source, trigger, eventKey }) => `${source} ${trigger} ${eventKey}`),
  );
  // One that comes twice at once is fresh for the first alone.
  return notices.filter(
    ({ isStoredOnce, source, id, key }) => isStoredOnce || left.delete(`${source} ${id} ${key}`),
  );
}

type Told = Pick<SurvivalNotice, "source" | "trigger" | "eventKey">;

const note = `
  insert into survival_notices (source, trigger, event_key)
  select * from unnest($1::text[], $2::text[], $3::text[]) as given (source, trigger, event_key)
  order by 1, 2, 3
  on conflict do nothing
  returning source, trigger, event_key as "eventKey"`;

interface About
  extends WipeSchedule, Pick<SurvivalServer, "id" | "name" | "connect" | "listed" | "showSeed"> {
  readonly now: Date;
}

interface Known extends About {
  readonly override: SurvivalVisibility["override"] | null;
}

/** What everybody may know: of servers that are listed, and of who is there as far as all see it. */
async function render(notices: readonly Rendered[], within: Sql | Transaction): Promise<Shown[]> {
  const serverIds = notices.flatMap(({ serverId }) => (serverId === null ? [] : [serverId]));
  const known = await rows<Known>(within, readKnown, [serverIds]);
  const serverOf = new Map(known.map((server) => [server.id, server]));
  const showsPresence = isPresenceOpen(known[0]?.override);
  const namesIn = await listedNames(notices, within);
  return notices.map((notice) => {
    const server = serverOf.get(notice.serverId ?? 0);
    const hidden = showsPresence ? [] : namesOfPresence;
    const variables = Object.fromEntries(
      Object.entries({
        ...notice.variables,
        ...namesIn(notice),
        ...(server && factsOf(server, notice)),
      }).filter(([name]) => !hidden.some((one) => one === name)),
    );
    const told = { ...variables, ...newsOf(notice.id, variables) };
    return {
      ...notice,
      variables: told,
      isListed: notice.serverId === null || server?.listed === true,
    };
  });
}

interface Shown extends Rendered {
  readonly isListed: boolean;
}

const isOpen = ({ isListed }: Shown): boolean => isListed;

function factsOf(server: About, { id, variables }: Notice): Notice["variables"] {
  const named = { serverId: server.id, serverName: server.name };
  const state = stateOf[id];
  if (state) return { ...named, state, connect: server.connect ?? undefined };
  const mapUrl = `/api/v1/public/survival/servers/${server.id}/map`;
  if (id === "survival.wipe.upcoming") return { ...named, mapUrl };
  if (id !== "survival.server.wiped") return named;
  const { nextWipe } = resolveNextWipe(server, server.now);
  const seed = shownSeed(server, variables["seed"]);
  return { ...named, mapUrl, seed, nextWipe: nextWipe?.toISOString() };
}

const stateOf: { readonly [Id in Notice["id"]]?: "online" | "offline" } = {
  "survival.server.online": "online",
  "survival.server.offline": "offline",
};

/** The servers, each with what is set of who may see what; without servers that alone. */
const readKnown = `
  select server.id, name, connect, listed, show_seed as "showSeed", wipe_rule as "wipeRule",
    wipe_day as "wipeDay", wipe_time as "wipeTime", wipe_timezone as "wipeTimezone",
    wipe_cron as "wipeCron", wipe_at as "wipeAt", clock_timestamp() as now,
    (select override from survival_visibility where id = 1) as override
  from (select) always left join survival_servers server on server.id = any($1::integer[])`;

/** What servers of several are called, as far as everybody may know of them. */
async function listedNames(
  notices: readonly Notice[],
  within: Sql | Transaction,
): Promise<(notice: Notice) => Notice["variables"]> {
  if (notices.every(({ scope }) => scope === undefined)) return () => ({});
  const listed = await rows<Pick<SurvivalServer, "id" | "name">>(
    within,
    "select id, name from survival_servers where listed order by id",
  );
  return ({ scope }) => {
    if (!scope) return {};
    const { scopeAll, serverIds } = scope;
    const counts = listed.filter(({ id }) => scopeAll || serverIds.includes(id));
    return { servers: counts.map(({ name }) => name) };
  };
}

function isPresenceOpen(stored: SurvivalVisibility["override"] | null | undefined): boolean {
  const override = (stored ?? {}) as SurvivalVisibilityOverrides;
  return mergeSurvivalVisibility(override).presence === "anonymous";
}

/** Staff and owners are named one by one; of a server that is not listed, staff alone are told. */
async function announcementsOf(
  notices: readonly Shown[],
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

async function readStaff(within: Sql | Transaction): Promise<number[]> {
  const found = await rows<Pick<User, "id">>(
    within,
    `select id from users where role in ('admin', 'moderator') and disabled_at is null
       and exists (select from push_subscriptions
         where user_id = users.id and stream = 'survival.staff')
     order by id`,
  );
  return found.map(({ id }) => id);
}
