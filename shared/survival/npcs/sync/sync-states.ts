import { col } from "sequelize";

import {
  computeColumn,
  type PlainRow,
  readPlainRows,
} from "../../../../models/queries/plain-rows.ts";
import type { SurvivalNpcProfile } from "../../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalNpcPush } from "../../../../models/survival/npcs/survival-npc-push.ts";
import type { SurvivalNpcState } from "../../../../models/survival/npcs/survival-npc-state.ts";
import type { SurvivalServerState } from "../../../../models/survival/survival-server-state.ts";
import type { SurvivalServer } from "../../../../models/survival/survival-server.ts";
import type { SurvivalSync } from "../../../../models/survival/survival-sync.ts";
import type { Context } from "../../../platform/context.ts";
import { lacksCapability, minNpcApiVersion } from "../../calls/call-rules.ts";
import { isProfileSynced } from "./pending-changes.ts";

/** The state of the site's NPC data on a server. */
export type SyncProgressState = "pushed" | "pending" | "failed" | "offline" | "unsupported";

export interface SyncProgress {
  readonly serverId: number;
  readonly state: SyncProgressState;
  /** The time of the last attempt. */
  readonly at: Date | null;
  readonly error: string | null;
}

const computedColumns = {
  hello: computeColumn<SurvivalServerState["hello"]>(col("state.hello")),
  state: computeColumn<SurvivalSync["state"] | null>(col("pushes.state")),
  dirty: computeColumn<boolean>("coalesce(pushes.asked > pushes.pushed, false)"),
  at: computeColumn<SurvivalSync["lastPushAt"]>(col("pushes.last_push_at")),
  error: computeColumn<SurvivalSync["error"]>(col("pushes.error")),
  saidHelloAt: computeColumn<SurvivalNpcState["saidHelloAt"] | null>(col("npcs.said_hello_at")),
};

type Row = PlainRow<SurvivalServer, "id" | "enabled", typeof computedColumns>;

export interface NpcServer extends SyncProgress {
  /** Version of the NPC plugin's interface; null if it is unknown or there is no plugin. */
  readonly npcApi: number | null;
  readonly supported: boolean;
  /** True if the server lacks changes. */
  readonly dirty: boolean;
  readonly saidHelloAt: Date | null;
}

/** Reads the servers with the given ids, or all enabled ones, in list order. */
export async function readNpcServers(
  { models }: Pick<Context, "models">,
  serverIds: readonly number[] | null = null,
): Promise<NpcServer[]> {
  const found = await readPlainRows(models.SurvivalServer, {
    columns: ["id", "enabled"],
    computed: computedColumns,
    include: [
      { association: "state", attributes: [] },
      { association: "pushes", where: { name: "npcs" }, required: false, attributes: [] },
      { association: "npcs", attributes: [] },
    ],
    where: serverIds ? { id: [...serverIds] } : { enabled: true },
    order: ["sort", "name", "id"],
  });
  return found.map(viewRow);
}

function viewRow(row: Row): NpcServer {
  const { id: serverId, hello, dirty, at, saidHelloAt } = row;
  const npcApi = typeof hello?.["npcApi"] === "number" ? hello["npcApi"] : null;
  const isUnsupported = lacksCapability(row, "npc");
  const state = stateOf(row, isUnsupported);
  return {
    serverId,
    npcApi,
    supported: npcApi !== null && npcApi >= minNpcApiVersion && !isUnsupported,
    dirty,
    state,
    at,
    error: state === "failed" ? row.error : null,
    saidHelloAt,
  };
}

function stateOf({ enabled, state, dirty }: Row, isUnsupported: boolean): SyncProgressState {
  if (isUnsupported || state === "unsupported") return "unsupported";
  if (!enabled || state === "offline") return "offline";
  if (state === "failed") return "failed";
  return state !== null && !dirty ? "pushed" : "pending";
}

/** Returns the state of a profile on each server. @param pushes rows of the profile's key */
export function computeSyncProgress(
  profile: Pick<SurvivalNpcProfile, "id" | "key" | "revision">,
  servers: readonly NpcServer[],
  pushes: readonly SurvivalNpcPush[],
): (SyncProgress & { readonly revision: number | null })[] {
  const own = pushes.filter(({ profileId }) => profileId === profile.id);
  const pushTo = new Map(own.map((push) => [push.serverId, push]));
  return servers.map((server) => {
    const { serverId } = server;
    const push = pushTo.get(serverId);
    const { state, error } = serverProgress(profile, server, push);
    const revision = push?.state === "pushed" ? push.revision : null;
    return { serverId, state, revision, at: push?.sentAt ?? null, error };
  });
}

function serverProgress(
  profile: Pick<SurvivalNpcProfile, "id" | "revision">,
  server: NpcServer,
  push: SurvivalNpcPush | undefined,
): Pick<SyncProgress, "state" | "error"> {
  if (server.state === "unsupported") return { state: "unsupported", error: null };
  const { saidHelloAt } = server;
  if (isProfileSynced(profile, push, saidHelloAt && { saidHelloAt })) {
    return { state: "pushed", error: null };
  }
  if (push?.state === "failed" && push.revision === profile.revision) {
    return { state: "failed", error: push.error };
  }
  const { state, error } = server;
  return { state: state === "pushed" ? "pending" : state, error };
}
