import type { PushState } from "../../../models/survival/survival-push.ts";
import type { Context } from "../../context.ts";
import { firstRow } from "../../db/rows.ts";
import type { PushName } from "./push-names.ts";

/** How far a server was told something, as staff see it. */
export interface PushView {
  readonly state: "pending" | "pushed" | "failed" | "offline" | "unsupported";
  /** Of the last try. */
  readonly at: Date | null;
  readonly error: string | null;
}

interface Row {
  readonly state: PushState;
  readonly isDirty: boolean;
  readonly enabled: boolean;
  readonly at: Date | null;
  readonly error: string | null;
}

/** Null where nothing was ever to be told. */
export async function readPush(
  serverId: number,
  name: PushName,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<PushView | null> {
  const row = await firstRow<Row>(sequelize, select, [serverId, name]);
  if (!row) return null;
  const state = stateOf(row);
  return { state, at: row.at, error: state === "failed" ? row.error : null };
}

function stateOf({ state, isDirty, enabled }: Row): PushView["state"] {
  if (state === "unsupported" || state === "failed") return state;
  if (!enabled || state === "offline") return "offline";
  return isDirty ? "pending" : "pushed";
}

const select = `
  select push.state, push.asked > push.pushed as "isDirty", server.enabled,
    push.last_push_at as at, push.error
  from survival_pushes push join survival_servers server on server.id = push.server_id
  where push.server_id = $1 and push.name = $2`;
