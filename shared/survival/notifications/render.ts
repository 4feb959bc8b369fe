import type { Transaction } from "sequelize";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SurvivalVisibility } from "../../../models/survival/survival-visibility.ts";
import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import { type NullColumns, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { SurvivalNotification, SourcedNotification } from "../kinds/notification.ts";
import { toVisibleSeed } from "../server-locks.ts";
import {
  mergeSurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "../visibility/visibility.ts";
import { resolveNextWipe } from "../wipes/next-wipe.ts";
import type { WipeSchedule } from "../wipes/wipe-schedule.ts";
import { presenceVariables } from "./registrations.ts";

/** A notice that is ready to send. `isListed` is true if everybody may see its server. */
export interface RenderedNotification extends SourcedNotification {
  readonly isListed: boolean;
}

interface ServerFacts
  extends WipeSchedule, Pick<SurvivalServer, "id" | "name" | "connect" | "listed" | "showSeed"> {
  readonly now: Date;
}

/** A result row of `readKnown`: a server of the notices. Its columns are null if the notices name no server. */
type KnownServer = (
  | ServerFacts
  | (NullColumns<Omit<ServerFacts, "now">> & Pick<ServerFacts, "now">)
) & {
  readonly override: SurvivalVisibility["override"] | null;
};

/** Adds public facts to notices, and names of players if everybody may see who is online. */
export async function renderNotifications(
  notices: readonly SourcedNotification[],
  within: SqlClient | Transaction,
): Promise<RenderedNotification[]> {
  const serverIds = notices.flatMap(({ serverId }) => (serverId === null ? [] : [serverId]));
  const known = await rows<KnownServer>(within, readKnown, [serverIds]);
  const serverOf = new Map(
    known.flatMap((server) => (server.id === null ? [] : [[server.id, server] as const])),
  );
  const showsPresence = isPresenceOpen(known[0]?.override);
  const namesIn = await listedNames(notices, within);
  return notices.map((notice) => {
    const server = serverOf.get(notice.serverId ?? 0);
    const hidden = showsPresence ? [] : presenceVariables;
    const variables = Object.fromEntries(
      Object.entries({
        ...notice.variables,
        ...namesIn(notice),
        ...(server && serverVariables(server, notice)),
      }).filter(([name]) => !hidden.some((one) => one === name)),
    );
    const told = { ...variables, ...sentenceOf(notice.id, variables) };
    return {
      ...notice,
      variables: told,
      isListed: notice.serverId === null || server?.listed === true,
    };
  });
}

function serverVariables(
  server: ServerFacts,
  { id, variables }: SurvivalNotification,
): SurvivalNotification["variables"] {
  const named = { serverId: server.id, serverName: server.name };
  const state = stateOf[id];
  if (state) return { ...named, state, connect: server.connect ?? undefined };
  const mapUrl = `/api/v1/public/survival/servers/${server.id}/map`;
  if (id === "survival.wipe.upcoming") return { ...named, mapUrl };
  if (id !== "survival.server.wiped") return named;
  const { nextWipe } = resolveNextWipe(server, server.now);
  const seed = toVisibleSeed(server, variables["seed"]);
  return { ...named, mapUrl, seed, nextWipe: nextWipe?.toISOString() };
}

const stateOf: { readonly [Id in SurvivalNotification["id"]]?: "online" | "offline" } = {
  "survival.server.online": "online",
  "survival.server.offline": "offline",
};

/** Without servers, the result is one row that has only the visibility override. */
const readKnown = `
  select server.id, name, connect, listed, show_seed as "showSeed", wipe_rule as "wipeRule",
    wipe_day as "wipeDay", wipe_time as "wipeTime", wipe_timezone as "wipeTimezone",
    wipe_cron as "wipeCron", wipe_at as "wipeAt", clock_timestamp() as now,
    (select override from survival_visibility where id = 1) as override
  from (select) always left join survival_servers server on server.id = any($1::integer[])`;

/** Returns the names of the listed servers in a notice's scope. */
async function listedNames(
  notices: readonly SurvivalNotification[],
  within: SqlClient | Transaction,
): Promise<(notice: SurvivalNotification) => SurvivalNotification["variables"]> {
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

type Variables = SurvivalNotification["variables"];

/** CATALOGUE of sentences. A player's name is in the variables only if everybody may know it. */
const sentences: { readonly [Id in SurvivalTriggerId]?: (variables: Variables) => string } = {
  "survival.leader.kills": ({ playerName, kills }) =>
    `${textOf(playerName)} leads with ${textOf(kills)} kills.`,
  "survival.npc.died": ({ name, profile, killerName }) => {
    const npc = textOf(name) || textOf(profile);
    return killerName ? `${npc} was killed by ${textOf(killerName)}.` : `${npc} died.`;
  },
  "survival.player.died": ({ victimName, killerName }) => {
    const victim = textOf(victimName) || "A player";
    return killerName ? `${victim} was killed by ${textOf(killerName)}.` : `${victim} died.`;
  },
  "survival.permission.changed": ({ kind, change }) =>
    `A ${kind === "membership" ? "membership" : "permission"} ${changes[textOf(change)] ?? "has changed"}.`,
  "survival.kit.entitled": ({ kit, uses, serverName }) =>
    `Kit ${textOf(kit)} can be taken on ${textOf(serverName)}, ${uses === 1 ? "once" : `${textOf(uses)} times`}.`,
};

const changes: Readonly<Record<string, string>> = {
  granted: "was granted",
  revoked: "was revoked",
  expired: "has ended",
  live: "is active in the game",
};

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

function sentenceOf(id: SurvivalTriggerId, variables: Variables): Variables {
  const news = sentences[id]?.(variables);
  return news === undefined ? {} : { news };
}
