import { openActivity, settleActivity } from "../../../platform/activity/activity.ts";
import type { Context } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { invalidFields } from "../../../platform/errors/errors.ts";
import { actorOf, type ShardOrder } from "../../../shard/staff/commands.ts";
import type { SurvivalContext } from "../../context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { pushKind } from "../../pushes/delivery/work-push.ts";
import { refuseUnknownServers } from "../../server-rows.ts";
import { npcPushOf } from "../push/npc-push.ts";
import { readNpcServers, type ReachState } from "../push/push-states.ts";

export interface PushedNow {
  /** Absent for every enabled server. */
  readonly serverIds?: readonly number[];
  /** These too where the servers have them already. */
  readonly profileIds?: readonly number[];
}

/** What became of a push on one server. */
interface Result {
  readonly serverId: number;
  readonly state: ReachState;
  readonly error: string | null;
}

/**
 * Brings servers what they lack of profiles, factions and placements, without waiting for other
 * changes.
 * @throws AppError naming servers and profiles that there are not; then nothing is pushed
 */
export async function pushNow(
  { serverIds: named, profileIds = [] }: PushedNow,
  { caller, address }: ShardOrder,
  context: SurvivalContext,
): Promise<{ results: Result[] }> {
  await requireProfiles(profileIds, context);
  const servers = await readNpcServers(context, named && [...named]);
  const serverIds = servers.map(({ serverId }) => serverId);
  refuseUnknownServers("serverIds", named ?? [], new Set(serverIds));
  const lineId = await inTransaction(context.sequelize, async (transaction) => {
    const detail = { serverIds, profileIds };
    const action = "survival.npc.pushed";
    const id = await openActivity({ actor: caller, action, address, detail }, transaction);
    await askForPush({ names: ["npcs"], serverIds, reason: "by hand" }, context, transaction);
    return id;
  });
  const kind = npcPushOf(profileIds);
  await Promise.all(
    serverIds.map((serverId) =>
      pushKind({ serverId, name: "npcs" }, kind, context, actorOf(caller)),
    ),
  );
  const reached = await readNpcServers(context, serverIds);
  const results = reached.map(({ serverId, state, error }) => ({ serverId, state, error }));
  await inTransaction(context.sequelize, (transaction) =>
    settleActivity(lineId, { outcome: "done", results }, transaction),
  );
  return { results };
}

async function requireProfiles(ids: readonly number[], { models }: Context): Promise<void> {
  if (ids.length === 0) return;
  const found = await models.SurvivalNpcProfile.findAll({
    where: { isDeleted: false },
    attributes: ["id"],
    raw: true,
  });
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw invalidFields([
    { path: "profileIds", message: `there is no profile ${unknown.join(", ")}` },
  ]);
}
