import { Op } from "sequelize";

import type { SurvivalEvent } from "../../../models/survival/survival-event.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-text.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import { cleanPayload } from "../plain-texts.ts";
import type { CallerAccess } from "../visibility/visibility.ts";
import { type FeedKind, feedKinds, type FeedPayloads, formatFeedText } from "./feed-text.ts";

export interface FeedQuery {
  readonly limit: number;
  readonly before?: number;
  readonly kinds?: readonly FeedKind[];
}

export interface FeedEvent {
  readonly id: number;
  readonly kind: FeedKind;
  readonly t: number;
  readonly text: string;
  readonly payload: object;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Value of `before` for the next page; absent on the last page. */
  readonly next?: number;
  /** True if events that reveal who is online were left out. */
  readonly hidden: boolean;
}

/** Reads the events of a server that the caller may see, newest first. */
export async function readFeed(
  serverId: number,
  { limit, before, kinds = feedKinds }: FeedQuery,
  view: CallerAccess,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<FeedPage> {
  const seesPresence = view.reaches(view.visibility.presence);
  const shown = kinds.filter((kind) => isFeedKindShown(kind, seesPresence));
  const params = new SqlParams();
  const newest = newestEventsSql(shown, { serverId, before, limit: limit + 1 }, params);
  const found = newest === "" ? [] : await rows<StoredEvent>(sequelize, newest, params.values);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map((event) =>
      feedEventOf(event, { seesPresence, isStaff: view.reaches("staff") }),
    ),
    ...(found.length > limit && last && { next: last.id }),
    hidden: !seesPresence,
  };
}

interface NewestQuery {
  readonly serverId: number;
  readonly before: number | undefined;
  readonly limit: number;
}

/**
 * Reads the newest events of each kind along its index. With several kinds in one condition, the planner
 * would scan all events of the server to find a rare kind. Returns an empty text if there are no kinds.
 */
function newestEventsSql(
  kinds: readonly FeedKind[],
  { serverId, before, limit }: NewestQuery,
  params: SqlParams,
): string {
  const [server, most] = [params.add(serverId), params.add(limit)];
  const isBefore = before === undefined ? "" : `and id < ${params.add(before)}`;
  const each = kinds.map(
    (kind) => `
      (select id, kind, t, payload from survival_events
       where server_id = ${server} and kind = ${params.add(kind)} and hidden_at is null ${isBefore}
       order by id desc limit ${most})`,
  );
  if (each.length === 0) return "";
  return `select * from (${each.join(" union all ")}) event order by id desc limit ${most}`;
}

/** Kinds that reveal who is online are shown only to viewers who may see who is online. */
export const isFeedKindShown = (kind: FeedKind, seesPresence: boolean): boolean =>
  seesPresence || findSurvivalKind(kind)?.class === "public";

export interface FeedAccess {
  readonly seesPresence: boolean;
  readonly isStaff: boolean;
}

type StoredEvent = Pick<SurvivalEvent, "id" | "kind" | "t" | "payload">;

/** Returns an event with the fields that the viewer may see. */
export function feedEventOf({ id, kind, t, payload }: StoredEvent, sight: FeedAccess): FeedEvent {
  const feedKind = kind as FeedKind;
  const shown = cleanPayload(shownPayload(feedKind, payload, sight));
  return { id, kind: feedKind, t, text: textOf(feedKind, shown), payload: shown };
}

/** Ingest has validated the payload against its kind. */
const textOf = (kind: FeedKind, payload: object): string =>
  formatFeedText(kind, payload as FeedPayloads[typeof kind]);

/** A player's position leads to the player's base, so only staff see it. */
const place: FieldAudiences = { x: "staff", y: "staff", z: "staff", grid: "staff" };

/**
 * CATALOGUE of shown payload fields by kind: for all viewers, for staff, or for viewers who may see who is
 * online. A list names subfields. Fields that a newer plugin adds are hidden.
 */
export const visibleFeedFields: Readonly<Record<FeedKind, FieldAudiences>> = {
  "world.wiped": { saveId: "all", blueprints: "all", level: "all", size: "all" },
  "player.joined": { steamId: "all", name: "all", connectedAt: "all", first: "all" },
  "player.left": {
    steamId: "all",
    name: "all",
    connectedAt: "all",
    reason: "all",
    sessionSec: "all",
  },
  "player.respawned": { steamId: "all", name: "all", bag: "all", ...place },
  "player.died": {
    victim: ["steamId", "name"],
    killer: ["kind", "steamId", "name", "profile", "prefab"],
    weapon: "all",
    distance: "all",
    headshot: "all",
    sleeping: "all",
    ...place,
  },
  "player.chat": { steamId: "all", name: "all", channel: "all", message: "all" },
  "survival.npc.died": {
    profile: "all",
    placement: "all",
    name: "all",
    boss: "all",
    // The killer of an NPC is online, so this field reveals presence.
    killer: "presence",
    contributors: "presence",
    weapon: "all",
    distance: "all",
    alive: "all",
    ...place,
  },
};

export type FieldAudiences = Readonly<
  Record<string, "all" | "staff" | "presence" | readonly string[]>
>;

function shownPayload(
  kind: FeedKind,
  payload: Record<string, unknown>,
  { seesPresence, isStaff }: FeedAccess,
): Record<string, unknown> {
  const seen = Object.entries(visibleFeedFields[kind]).filter(([field, audience]) => {
    if (!(field in payload)) return false;
    return (audience !== "staff" || isStaff) && (audience !== "presence" || seesPresence);
  });
  return Object.fromEntries(
    seen.map(([field, audience]) => [
      field,
      typeof audience === "string"
        ? peopleOf(field, payload[field])
        : pick(payload[field], audience),
    ]),
  );
}

/** For each field that names a person, the subfields that are shown. */
export const visiblePersonFields: Readonly<Record<string, readonly string[]>> = {
  killer: ["steamId", "name"],
  contributors: ["steamId", "damage"],
};

function peopleOf(field: string, value: unknown): unknown {
  const fields = visiblePersonFields[field];
  if (!fields) return value;
  return Array.isArray(value) ? value.map((one) => pick(one, fields)) : pick(value, fields);
}

function pick(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter(([field]) => fields.includes(field)));
}

export interface EventsQuery {
  readonly kind?: string;
  readonly limit: number;
  readonly before?: number;
}

/** Reads the events of a server, newest first, with details for staff only. */
export const readServerEvents = (
  serverId: number,
  { kind, limit, before }: EventsQuery,
  { models }: Pick<Context, "models">,
): Promise<SurvivalEvent[]> =>
  models.SurvivalEvent.findAll({
    where: {
      serverId,
      ...(kind !== undefined && { kind }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
    },
    order: [["id", "desc"]],
    // One extra row shows if there is a next page.
    limit: limit + 1,
  });
