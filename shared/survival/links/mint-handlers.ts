import { countChanged } from "../../db/rows.ts";
import type { Handlers } from "../frames/handler.ts";

/** A server that made a code lately is asked first for one that somebody enters. */
export const mintHandlers: Handlers = {
  "link.minted": async ({ payload: { at }, replay }, { serverId, connection }) => {
    await countChanged(connection, minted, [serverId, replay ? at : null]);
  },
};

/** What is said as it happens is of now, however the game's clock goes; what is repeated is older. */
const minted = `
  insert into survival_server_states (server_id, link_minted_at)
  values ($1, least(to_timestamp($2::bigint / 1000.0), clock_timestamp()))
  on conflict (server_id) do update
  set link_minted_at = greatest(survival_server_states.link_minted_at, excluded.link_minted_at)`;
