import type { SurvivalGrant } from "../../../models/survival/permissions/survival-grant.ts";
import type { SurvivalPermissionGroup } from "../../../models/survival/permissions/survival-permission-group.ts";
import { hashContent } from "../../platform/base-revision.ts";

type GroupFields = Pick<
  SurvivalPermissionGroup,
  "name" | "title" | "rank" | "parent" | "permissions" | "scopeAll" | "serverIds"
>;

/** Returns the hash of the fields of a group that staff set. */
export const groupRevision = ({
  name,
  title,
  rank,
  parent,
  permissions,
  scopeAll,
  serverIds,
}: GroupFields): string =>
  hashContent([name, title, rank, parent, permissions, scopeAll, serverIds]);

type Terms = Pick<
  SurvivalGrant,
  "kind" | "steamId" | "value" | "scopeAll" | "serverIds" | "reason" | "expiresAt"
>;

/** Returns the hash of a grant's player, value, scope, end and reason. */
export const grantRevision = (grant: Terms): string =>
  hashContent([
    grant.kind,
    grant.steamId,
    grant.value,
    grant.scopeAll,
    grant.serverIds,
    grant.reason,
    grant.expiresAt,
  ]);
