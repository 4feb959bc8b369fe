import { countChanged, firstRow } from "../../../platform/db/rows.ts";
import type { Ground, Handlers } from "../../kinds/handler.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";

/** Titles follow what players do at most so often. */
const titlesEveryMs = 60_000;

export const titleHandlers: Handlers = {
  // Whoever says hello may have lost what was pushed before; the push is asked for anyway.
  "server.hello": (_taken, ground) => noteReturn(ground),
  // A chat plugin that is loaded anew knows nothing of the site.
  "plugin.loaded": async ({ payload }, ground) => {
    if (payload.helperId !== "chat") return;
    const { serverId, connection, context } = ground;
    await noteReturn(ground);
    const names = ["titles", "voice"] as const;
    await askForPush(
      { names, serverIds: [serverId], reason: "plugin.loaded" },
      context,
      connection,
    );
  },
  // One job waits for each server, whatever is told until it runs.
  "player.tally": async (_taken, { serverId, connection, context }) => {
    if (!(await firstRow(connection, hasRules, [serverId]))) return;
    await context.queue.enqueue(
      "survival.titles",
      { serverId },
      {
        key: String(serverId),
        afterMs: titlesEveryMs,
        within: connection,
      },
    );
  },
};

const hasRules = "select 1 from survival_title_rules where server_id = $1 and enabled limit 1";

async function noteReturn({ serverId, connection }: Ground): Promise<void> {
  await countChanged(connection, storeReturn, [serverId]);
}

const storeReturn = `
  insert into survival_title_servers (server_id) values ($1)
  on conflict (server_id) do update set returned_at = excluded.returned_at`;
