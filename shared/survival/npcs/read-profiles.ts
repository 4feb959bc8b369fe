import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalNpcProfile } from "../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalNpcPush } from "../../../models/survival/npcs/survival-npc-push.ts";
import type { SurvivalNpcRevision } from "../../../models/survival/npcs/survival-npc-revision.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { readFactions } from "./factions.ts";
import { type NpcServer, readNpcServers } from "./sync/sync-states.ts";

type Database = Pick<Context, "models">;

const changedBy = { association: "changedBy", attributes: ["username"] };

/** A profile with its state on each server. */
export interface ProfileRecord {
  readonly profile: SurvivalNpcProfile;
  readonly servers: readonly NpcServer[];
  /** The results of sending this key's profile, one per server. */
  readonly pushes: readonly SurvivalNpcPush[];
}

interface NpcOverview {
  readonly profiles: readonly ProfileRecord[];
  readonly factions: readonly string[];
  readonly servers: readonly NpcServer[];
}

/** Reads all profiles, ordered by key, with the factions and servers. */
export async function readNpcOverview(context: Database): Promise<NpcOverview> {
  const { models } = context;
  const [profiles, { factions }, servers, pushes] = await Promise.all([
    models.SurvivalNpcProfile.findAll({
      where: { isDeleted: false },
      include: [changedBy],
      order: ["key"],
    }),
    readFactions(context),
    readNpcServers(context),
    models.SurvivalNpcPush.findAll({ raw: true }),
  ]);
  const pushesOf = Map.groupBy(pushes, ({ key }) => key);
  return {
    profiles: profiles.map((profile) => ({
      profile,
      servers,
      pushes: pushesOf.get(profile.key) ?? [],
    })),
    factions,
    servers,
  };
}

/** @throws AppError missing, also for a deleted profile */
export async function readNpcProfile(id: number, context: Database): Promise<ProfileRecord> {
  const { models } = context;
  const profile = await models.SurvivalNpcProfile.findOne({
    where: whereNotDeleted(id),
    include: [changedBy],
  });
  if (!profile) throw unknownProfile();
  const [servers, pushes] = await Promise.all([
    readNpcServers(context),
    models.SurvivalNpcPush.findAll({ where: { key: profile.key }, raw: true }),
  ]);
  return { profile, servers, pushes };
}

/** @throws AppError missing, also for a deleted profile */
export async function requireNpcProfile(id: number, { models }: Database): Promise<void> {
  if ((await models.SurvivalNpcProfile.count({ where: whereNotDeleted(id) })) > 0) return;
  throw unknownProfile();
}

const whereNotDeleted = (id: number) => ({ id: matchClientId(id), isDeleted: false });

const unknownProfile = () => notFoundError("Unknown profile");

/** Reads the former revisions, newest first. */
export const readRevisions = (
  profileId: number,
  { models }: Database,
): Promise<SurvivalNpcRevision[]> =>
  models.SurvivalNpcRevision.findAll({
    where: { profileId },
    include: [changedBy],
    order: [["revision", "DESC"]],
    limit: limits.npcRevisions,
  });
