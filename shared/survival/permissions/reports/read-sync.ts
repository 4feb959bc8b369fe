import type { SurvivalPush } from "../../../../models/survival/survival-push.ts";
import type { Context } from "../../../platform/context.ts";
import type { SurvivalContext } from "../../context.ts";
import type { PermissionDrift } from "../drift.ts";
import type { PermissionEntry } from "../permission-ops.ts";
import { readPermissions } from "../store/read-permissions.ts";
import { driftOf, opsOf } from "../store/server-drift.ts";
import { type GroupRecord, readGroups } from "./read-groups.ts";

/** How the permissions of a server stand. */
export const syncStates = ["clean", "dirty", "pushing", "failed", "offline"] as const;
export type SyncState = (typeof syncStates)[number];

export interface ServerSync {
  readonly serverId: number;
  readonly state: SyncState;
  readonly dirtyReason: string | null;
  readonly error: string | null;
  readonly lastPushAt: Date | null;
  readonly lastOkAt: Date | null;
  readonly inventoryAt: Date | null;
  readonly pendingOps: number;
  readonly unknownPermissions: readonly string[];
  readonly drift: PermissionDrift;
}

interface Counts {
  readonly groups: number;
  readonly grants: number;
  readonly players: number;
}

export interface PermissionsOverview {
  readonly groups: readonly GroupRecord[];
  readonly servers: readonly ServerSync[];
  readonly counts: Counts;
}

type PushFacts = Pick<SurvivalPush, "state" | "reason" | "error" | "lastPushAt" | "lastOkAt">;

/** As staff read it: what cannot be pushed now has failed, whatever the cause. */
export function syncStateOf(push: Pick<SurvivalPush, "state"> | null | undefined): SyncState {
  if (!push) return "offline";
  const { state } = push;
  if (state === "waiting") return "dirty";
  return state === "unsupported" ? "failed" : state;
}

export async function readOverview(context: SurvivalContext): Promise<PermissionsOverview> {
  const { models, config } = context;
  const servers = await models.SurvivalServer.findAll({
    attributes: ["id"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const ids = servers.map(({ id }) => id);
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const [groups, pushes, states, counts] = await Promise.all([
    readGroups(context),
    models.SurvivalPush.findAll({ where: { name: "permissions" }, raw: true }),
    readPermissions(ids, parts),
    countGrants(context),
  ]);
  const pushOf = new Map(pushes.map((push) => [push.serverId, push]));
  return {
    groups,
    servers: states.map((state) => {
      const push: PushFacts | undefined = pushOf.get(state.serverId);
      return {
        serverId: state.serverId,
        state: syncStateOf(push),
        dirtyReason: push && push.state !== "clean" ? push.reason : null,
        error: push?.error ?? null,
        lastPushAt: push?.lastPushAt ?? null,
        lastOkAt: push?.lastOkAt ?? null,
        inventoryAt: state.inventory?.toldAt ?? null,
        pendingOps: opsOf(state).length,
        unknownPermissions: state.wanted.unknown,
        drift: shortened(driftOf(state)),
      };
    }),
    counts: { groups: groups.length, ...counts },
  };
}

/** A whole drift is read of one server at a time. */
const shownOfDrift = 50;

const shortened = ({ extra, missing }: PermissionDrift): PermissionDrift => ({
  extra: first(extra),
  missing: first(missing),
});

const first = (entries: readonly PermissionEntry[]): readonly PermissionEntry[] =>
  entries.slice(0, shownOfDrift);

async function countGrants({ models }: Pick<Context, "models">): Promise<Omit<Counts, "groups">> {
  const inForce = models.SurvivalGrant.scope("inForce");
  const [grants, players] = await Promise.all([
    inForce.count(),
    inForce.count({ distinct: true, col: "steamId" }),
  ]);
  return { grants, players };
}
