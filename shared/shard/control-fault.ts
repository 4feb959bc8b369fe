import type { Sequelize } from "sequelize";

import { BridgeError } from "../bridge/bridge-error.ts";

/** Whether only an administrator can mend it: the token or the protocol is wrong. */
export const isControlFault = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && ["PROTOCOL", "UNAUTHORIZED"].includes(error.code);

/**
 * Has the link shown in error, whatever its socket says, until a call succeeds or the
 * configuration is saved.
 */
export async function recordControlFault(
  { reason }: BridgeError,
  sequelize: Sequelize,
): Promise<void> {
  await sequelize.query(
    `insert into shard_facts (name, value) values ('control_fault', $1)
     on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
    { bind: [JSON.stringify({ reason })] },
  );
}

export async function clearControlFault(sequelize: Sequelize): Promise<void> {
  await sequelize.query("delete from shard_facts where name = 'control_fault'");
}
