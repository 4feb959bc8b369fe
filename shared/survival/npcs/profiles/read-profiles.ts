import { anyId } from "../../../../models/any-id.ts";
import type { SurvivalNpcProfile } from "../../../../models/survival/survival-npc-profile.ts";
import type { SurvivalNpcRevision } from "../../../../models/survival/survival-npc-revision.ts";
import type { Context } from "../../../context.ts";
import { missing } from "../../../errors.ts";
import { limits } from "../../../limits.ts";

type Database = Pick<Context, "models">;

const changedBy = { association: "changedBy", attributes: ["username"] };

/** Every profile that was not deleted, by its key. */
export const readNpcProfiles = ({ models }: Database): Promise<SurvivalNpcProfile[]> =>
  models.SurvivalNpcProfile.findAll({
    where: { isDeleted: false },
    include: [changedBy],
    order: ["key"],
  });

/** @throws AppError missing, also for one that was deleted */
export async function findNpcProfile(
  id: number,
  { models }: Database,
): Promise<SurvivalNpcProfile> {
  const profile = await models.SurvivalNpcProfile.findOne({
    where: { id: anyId(id), isDeleted: false },
    include: [changedBy],
  });
  if (!profile) throw missing("Unknown profile");
  return profile;
}

/** The revisions that were replaced, the newest first. */
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
