import type { Notice, NoticeScope } from "../kinds/notice.ts";

export interface PermissionChange extends NoticeScope {
  readonly grantId: number;
  readonly change: "granted" | "revoked" | "expired" | "live";
  /** Whose Steam account it is, where that is linked. */
  readonly userId?: number | undefined;
  readonly kind: "permission" | "membership";
  readonly expiresAt: Date | null;
}

/** Each change of a grant is told once: it is granted, live, expired and revoked one time at most. */
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

export interface Entitled {
  readonly entitlementId: number;
  readonly serverId: number;
  /** Whose Steam account it is, where that is linked. */
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
