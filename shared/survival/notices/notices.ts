import type { TakenIn } from "../kinds/handler.ts";
import type { SurvivalKindName, SurvivalPayload } from "../kinds/kinds.ts";
import type { Notice, NoticeScope } from "../kinds/notice.ts";
import { shownName } from "../plain-texts.ts";

type Told = Omit<Notice, "serverId">;
type Maker<Payload> = (taken: TakenIn<Payload>) => Told;
type Makers = { readonly [Name in SurvivalKindName]?: Maker<SurvivalPayload<Name>> };

/** CATALOGUE of the frames that cause a notice by themselves. */
const makers: Makers = {
  "survival.npc.died": (taken) => {
    const { profile, name, boss, killer, grid, alive, runId } = taken.payload;
    return once("survival.npc.died", taken, {
      profile,
      name,
      boss: boss ?? false,
      killerName: killer && shownName(killer.name, killer.steamId),
      killerSteamId: killer?.steamId,
      grid,
      alive,
      runId,
    });
  },
  "survival.npc.health": (taken) => {
    const { profile, placement, health, maxHealth, percent, step, runId } = taken.payload;
    const told = { profile, placement, health, maxHealth, percent, step, runId };
    return once("survival.npc.health", taken, told);
  },
  "player.died": (taken) => {
    const { victim, killer, weapon, distance } = taken.payload;
    return once("survival.player.died", taken, {
      victimName: shownName(victim.name, victim.steamId),
      killerName: killer.name && shownName(killer.name, killer.steamId ?? killer.kind),
      killerKind: killer.kind,
      weapon,
      distance,
    });
  },
  "plugin.unloaded": (taken) => {
    const { name, version, helperId } = taken.payload;
    const helper = typeof helperId === "string";
    return once("survival.plugin.unloaded", taken, { plugin: name, version, helper });
  },
  // A kit or placement can return under the same name after a wipe, so the time is part of the key.
  "world.expired": ({ payload: { what, ref, reason, at }, t }) => {
    const key = hasOwnId.includes(what) ? `${what}:${ref}` : `${what}:${ref}:${at}`;
    return expired({ what, ref, key }, t, { reason });
  },
  // The game may report the end of a zone with both kinds; the lease id makes them equal.
  "lease.expired": ({ payload: { what, leaseId, runId }, t }) =>
    expired({ what, ref: leaseId, key: `${what}:${leaseId}` }, t, { reason: "timeout", runId }),
};

/** Undefined for a kind that causes no notice. */
export const noticeOf = (kind: string): Maker<unknown> | undefined =>
  Object.hasOwn(makers, kind) ? (makers[kind as keyof Makers] as Maker<unknown>) : undefined;

function once(
  id: Notice["id"],
  { id: eventId, eventKey, t }: TakenIn<unknown>,
  variables: Notice["variables"],
): Told {
  const key = eventKey === null ? `event ${eventId}` : `key ${eventKey}`;
  return { id, key, t, isStoredOnce: true, variables };
}

/** Types whose id is never reused, so that each ends once. */
const hasOwnId = ["zone", "participation"];

interface Ended {
  readonly what: string;
  readonly ref: string;
  readonly key: string;
}

const expired = ({ what, ref, key }: Ended, t: number, variables: Notice["variables"]): Told => ({
  id: "survival.world.expired",
  key,
  t,
  variables: { what, ref, ...variables },
});

export interface PermissionChange extends NoticeScope {
  readonly grantId: number;
  readonly change: "granted" | "revoked" | "expired" | "live";
  /** The user to whom the Steam account is linked. */
  readonly userId?: number | undefined;
  readonly kind: "permission" | "membership";
  readonly expiresAt: Date | null;
}

/** Each change occurs at most once per grant, so grant and change are the key. */
export const permissionNotice = (
  { grantId, change, userId, kind, expiresAt, scopeAll, serverIds }: PermissionChange,
  at: Date,
): Notice => ({
  id: "survival.permission.changed",
  serverId: null,
  key: `permission:${grantId}:${change}`,
  t: at.valueOf(),
  ref: `permission:${grantId}`,
  scope: { scopeAll, serverIds },
  ...(userId !== undefined && { userId }),
  variables: { kind, change, expiresAt: expiresAt?.toISOString() },
});

interface Entitled {
  readonly entitlementId: number;
  readonly serverId: number;
  /** The user to whom the Steam account is linked. */
  readonly userId?: number | undefined;
  readonly kit: string;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly runId?: number | undefined;
}

export const kitNotice = (
  { entitlementId, serverId, userId, kit, uses, expiresAt, runId }: Entitled,
  at: Date,
): Notice => ({
  id: "survival.kit.entitled",
  serverId,
  key: `kit:${entitlementId}`,
  t: at.valueOf(),
  ref: `kit:${entitlementId}`,
  ...(userId !== undefined && { userId }),
  variables: { kit, uses, expiresAt: expiresAt?.toISOString(), runId },
});
