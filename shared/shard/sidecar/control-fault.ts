import type { Sequelize } from "sequelize";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { UsableLink } from "./sidecar-link.ts";

/** Whether only an administrator can mend it: the token or the protocol is wrong. */
export const isControlFault = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && ["PROTOCOL", "UNAUTHORIZED"].includes(error.code);

/** The link as it was when the call was made. */
type UsedLink = Pick<UsableLink, "changedAt">;

/**
 * Has the link shown in error, whatever its socket says, until a call of any process succeeds or the
 * configuration is saved. The fault of a link that was replaced since says nothing of the present one,
 * so it is not recorded; a configuration that is being saved is waited for.
 */
export async function recordControlFault(
  { reason }: BridgeError,
  { changedAt }: UsedLink,
  sequelize: Sequelize,
): Promise<void> {
  await countChanged(
    sequelize,
    `insert into shard_facts (name, value)
     select 'control_fault', $1::jsonb from shardlink where changed_at = $2::timestamptz for share
     on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
    [JSON.stringify({ reason }), changedAt],
  );
}

/** @param tookMs how long the call took that succeeded: a fault that was met since it began stands */
export async function clearControlFault(
  { changedAt }: UsedLink,
  tookMs: number,
  sequelize: Sequelize,
): Promise<void> {
  await countChanged(sequelize, clearing, [changedAt, tookMs]);
}

/** Every call that succeeds does this. */
const clearing = {
  name: "clear control fault",
  text: `
    delete from shard_facts using shardlink
    where name = 'control_fault' and changed_at = $1::timestamptz
      and updated_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
};
