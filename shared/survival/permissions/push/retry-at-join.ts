import { firstRow } from "../../../platform/db/rows.ts";
import type { Ground } from "../../kinds/handler.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";

/** A mod loader may not take what is for somebody whom it never saw: once he is there it does. */
export async function retryAtJoin(
  steamId: string,
  { serverId, connection, context }: Ground,
): Promise<void> {
  if (!(await firstRow(connection, failed, [serverId, steamId]))) return;
  const ask = { names: ["permissions"], serverIds: [serverId], reason: "join" } as const;
  await askForPush(ask, context, connection);
}

const failed = `
  select 1 from survival_permission_rows
  where server_id = $1 and subject_kind = 'user' and subject = $2 and state = 'failed' limit 1`;
