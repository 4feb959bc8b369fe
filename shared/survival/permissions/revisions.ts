import type { SurvivalGrant } from "../../../models/survival/permissions/survival-grant.ts";
import type { SurvivalPermissionGroup } from "../../../models/survival/permissions/survival-permission-group.ts";
import { hashOf } from "../../platform/based-on.ts";

type Said = Pick<
  SurvivalPermissionGroup,
  "name" | "title" | "rank" | "parent" | "permissions" | "scopeAll" | "serverIds"
>;

/** The revision of a group: of what staff say of it. */
export const groupRevision = ({
  name,
  title,
  rank,
  parent,
  permissions,
  scopeAll,
  serverIds,
}: Said): string => hashOf([name, title, rank, parent, permissions, scopeAll, serverIds]);

type Terms = Pick<
  SurvivalGrant,
  "kind" | "steamId" | "value" | "scopeAll" | "serverIds" | "reason" | "expiresAt"
>;

/** The revision of a grant: of what is given, to whom, where, until when and why. */
export const grantRevision = (grant: Terms): string =>
  hashOf([
    grant.kind,
    grant.steamId,
    grant.value,
    grant.scopeAll,
    grant.serverIds,
    grant.reason,
    grant.expiresAt,
  ]);
