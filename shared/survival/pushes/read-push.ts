import type { SurvivalPush } from "../../../models/survival/survival-push.ts";
import type { Context } from "../../platform/context.ts";
import type { PushName } from "./push-names.ts";

/** How far a server was told something, as staff see it. */
export interface PushView {
  readonly state: "pending" | "pushed" | "failed" | "offline" | "unsupported";
  /** Of the last try. */
  readonly at: Date | null;
  readonly error: string | null;
}

/** Null where nothing was ever to be told. */
export async function readPush(
  serverId: number,
  name: PushName,
  { models }: Pick<Context, "models">,
): Promise<PushView | null> {
  const push = await models.SurvivalPush.findOne({
    where: { serverId, name },
    attributes: ["state", "asked", "pushed", "lastPushAt", "error"],
    include: { association: "server", attributes: ["enabled"] },
  });
  if (!push) return null;
  const state = stateOf(push);
  return { state, at: push.lastPushAt, error: state === "failed" ? push.error : null };
}

function stateOf({ state, asked, pushed, server }: SurvivalPush): PushView["state"] {
  if (state === "unsupported" || state === "failed") return state;
  if (!server?.enabled || state === "offline") return "offline";
  return asked > pushed ? "pending" : "pushed";
}
