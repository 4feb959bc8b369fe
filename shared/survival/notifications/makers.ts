import type { ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalKindName, SurvivalPayload } from "../kinds/kinds.ts";
import type { SurvivalNotification, NotificationScope } from "../kinds/notification.ts";
import { displayName } from "../plain-texts.ts";

type NotificationContent = Omit<SurvivalNotification, "serverId">;
type Maker<Payload> = (taken: ReceivedFrame<Payload>) => NotificationContent;
type Makers = { readonly [Name in SurvivalKindName]?: Maker<SurvivalPayload<Name>> };

/** CATALOGUE of the functions that create a notice from a single frame, by kind. */
const makers: Makers = {
  "survival.npc.died": (taken) => {
    const { profile, name, boss, killer, grid, alive, runId } = taken.payload;
    return eventNotification("survival.npc.died", taken, {
      profile,
      name,
      boss: boss ?? false,
      killerName: killer && displayName(killer.name, killer.steamId),
      killerSteamId: killer?.steamId,
      grid,
      alive,
      runId,
    });
  },
  "survival.npc.health": (taken) => {
    const { profile, placement, health, maxHealth, percent, step, runId } = taken.payload;
    const told = { profile, placement, health, maxHealth, percent, step, runId };
    return eventNotification("survival.npc.health", taken, told);
  },
  "player.died": (taken) => {
    const { victim, killer, weapon, distance } = taken.payload;
    return eventNotification("survival.player.died", taken, {
      victimName: displayName(victim.name, victim.steamId),
      killerName: killer.name && displayName(killer.name, killer.steamId ?? killer.kind),
      killerKind: killer.kind,
      weapon,
      distance,
    });
  },
  "plugin.unloaded": (taken) => {
    const { name, version, helperId } = taken.payload;
    const helper = typeof helperId === "string";
    return eventNotification("survival.plugin.unloaded", taken, { plugin: name, version, helper });
  },
  // A kit or placement can have the same name after a wipe, so the key contains the time.
  "world.expired": ({ payload: { what, ref, reason, at }, t }) => {
    const key = uniqueIdTypes.includes(what) ? `${what}:${ref}` : `${what}:${ref}:${at}`;
    return expiredNotification({ what, ref, key }, t, { reason });
  },
  // The game may also report a zone's end in `world.expired`. The lease id gives both notices the same key.
  "lease.expired": ({ payload: { what, leaseId, runId }, t }) =>
    expiredNotification({ what, ref: leaseId, key: `${what}:${leaseId}` }, t, {
      reason: "timeout",
      runId,
    }),
};

/** Returns the function that creates a kind's notice; undefined for a kind without a notice. */
export const findNotificationMaker = (kind: string): Maker<unknown> | undefined =>
  Object.hasOwn(makers, kind) ? (makers[kind as keyof Makers] as Maker<unknown>) : undefined;

function eventNotification(
  id: SurvivalNotification["id"],
  { id: eventId, eventKey, t }: ReceivedFrame<unknown>,
  variables: SurvivalNotification["variables"],
): NotificationContent {
  const key = eventKey === null ? `event ${eventId}` : `key ${eventKey}`;
  return { id, key, t, isStoredOnce: true, variables };
}

/** Types of objects whose ids are never reused, so a notice's key needs no time. */
const uniqueIdTypes = ["zone", "participation"];

interface ExpiredObject {
  readonly what: string;
  readonly ref: string;
  readonly key: string;
}

const expiredNotification = (
  { what, ref, key }: ExpiredObject,
  t: number,
  variables: SurvivalNotification["variables"],
): NotificationContent => ({
  id: "survival.world.expired",
  key,
  t,
  variables: { what, ref, ...variables },
});

export interface PermissionChange extends NotificationScope {
  readonly grantId: number;
  readonly change: "granted" | "revoked" | "expired" | "live";
  /** The user to whom the Steam account is linked. */
  readonly userId?: number | undefined;
  readonly kind: "permission" | "membership";
  readonly expiresAt: Date | null;
}

/** A grant has each change at most once, so the key consists of grant and change. */
export const permissionNotification = (
  { grantId, change, userId, kind, expiresAt, scopeAll, serverIds }: PermissionChange,
  at: Date,
): SurvivalNotification => ({
  id: "survival.permission.changed",
  serverId: null,
  key: `permission:${grantId}:${change}`,
  t: at.valueOf(),
  ref: `permission:${grantId}`,
  scope: { scopeAll, serverIds },
  ...(userId !== undefined && { userId }),
  variables: { kind, change, expiresAt: expiresAt?.toISOString() },
});

interface GrantedKit {
  readonly entitlementId: number;
  readonly serverId: number;
  /** The user to whom the Steam account is linked. */
  readonly userId?: number | undefined;
  readonly kit: string;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly runId?: number | undefined;
}

export const kitNotification = (
  { entitlementId, serverId, userId, kit, uses, expiresAt, runId }: GrantedKit,
  at: Date,
): SurvivalNotification => ({
  id: "survival.kit.entitled",
  serverId,
  key: `kit:${entitlementId}`,
  t: at.valueOf(),
  ref: `kit:${entitlementId}`,
  ...(userId !== undefined && { userId }),
  variables: { kit, uses, expiresAt: expiresAt?.toISOString(), runId },
});
