import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { bootOf, isGone } from "../../platform/bridge/socket/boot.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Ground } from "../kinds/handler.ts";

/**
 * Notes the game process that the first of a part's frames names. When it is another, or gone, nobody
 * is on the server any more.
 * @param known the game process as it was known before the part
 */
export async function followBoot(
  source: string,
  first: StreamFrame | undefined,
  known: string | null,
  { serverId, connection }: Ground,
): Promise<void> {
  if (!first) return;
  const bootId = bootOf(first) ?? known;
  if (isGone(first) || (known !== null && bootId !== known)) {
    await countChanged(connection, emptied, [serverId]);
  }
  if (bootId === known) return;
  await countChanged(connection, "update ingest_sources set boot_id = $2 where source = $1", [
    source,
    bootId,
  ]);
}

const emptied = `
  with left_behind as (delete from survival_presence where server_id = $1)
  update survival_server_states set status = null, online_since = null where server_id = $1`;
