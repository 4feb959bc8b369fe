import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Ground, Handlers } from "../kinds/handler.ts";
import { keptText } from "../kinds/stored-payload.ts";
import { deliverWaiting } from "../rewards/kit-handlers.ts";
import { followSave } from "../wipes/follow-save.ts";

export const serverHandlers: Handlers = {
  "server.hello": async ({ payload, t }, ground) => {
    await keep("hello", payload, ground);
    const { world, game } = payload;
    await followSave(
      {
        saveId: world.saveCreatedAt,
        saveProtocol: game?.protocolSave ?? null,
        level: world.level ?? null,
        seed: world.seed ?? null,
        worldSize: world.size ?? null,
      },
      t,
      ground,
    );
    await deliverWaiting(ground);
  },
  // The hello of a server that makes its world says that there is none yet.
  "world.ready": async (_taken, { serverId, connection }) => {
    await countChanged(connection, worldIsReady, [serverId]);
  },
  "server.status": ({ payload }, ground) => keep("status", payload, ground),
};

const worldIsReady = `
  update survival_server_states set hello = hello || '{"worldReady": true}' where server_id = $1`;

/** Keeps what a server says of itself; while it speaks it was seen, and is online since it began to. */
async function keep(
  column: "hello" | "status",
  payload: JsonObject,
  { serverId, connection }: Ground,
): Promise<void> {
  await countChanged(
    connection,
    `insert into survival_server_states (server_id, ${column}, online_since, last_seen_at)
     values ($1, $2, clock_timestamp(), clock_timestamp())
     on conflict (server_id) do update
     set ${column} = excluded.${column}, last_seen_at = excluded.last_seen_at,
       online_since = coalesce(survival_server_states.online_since, excluded.online_since)`,
    [serverId, keptText(`server.${column}`, payload)],
  );
}
