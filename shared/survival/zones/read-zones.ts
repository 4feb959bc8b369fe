import { Op, type WhereOptions } from "sequelize";

import { anyId } from "../../../models/queries/any-id.ts";
import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import type { SurvivalZonePreset } from "../../../models/survival/survival-zone-preset.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";

/** A preset with the user who last changed it. */
export interface ReadPreset {
  readonly preset: SurvivalZonePreset;
  readonly updatedBy: string | null;
}

const withEditor = { include: [{ association: "changedBy", attributes: ["username"] }] };

const withName = (preset: SurvivalZonePreset): ReadPreset => {
  const editor = preset.get("changedBy") as { readonly username: string } | null;
  return { preset, updatedBy: editor?.username ?? null };
};

/** Reads the presets, and the zones that are or may be open, newest first. */
export async function readZones({ models }: Pick<Context, "models">): Promise<{
  presets: ReadPreset[];
  open: SurvivalZoneLease[];
}> {
  const [presets, open] = await Promise.all([
    models.SurvivalZonePreset.findAll({ ...withEditor, order: ["key"] }),
    models.SurvivalZoneLease.findAll({
      where: { state: { [Op.in]: ["opening", "open", "closing"] } },
      order: [
        ["openedAt", "DESC"],
        ["leaseId", "ASC"],
      ],
      raw: true,
    }),
  ]);
  return { presets: presets.map(withName), open };
}

/** @throws {AppError} missing */
export const readPreset = (id: number, context: Pick<Context, "models">): Promise<ReadPreset> =>
  readPresetWhere({ id: anyId(id) }, context);

/** @throws {AppError} missing */
export const readPresetByKey = (
  key: string,
  context: Pick<Context, "models">,
): Promise<ReadPreset> => readPresetWhere({ key }, context);

async function readPresetWhere(
  where: WhereOptions<SurvivalZonePreset>,
  { models }: Pick<Context, "models">,
): Promise<ReadPreset> {
  const preset = await models.SurvivalZonePreset.findOne({ where, ...withEditor });
  if (!preset) throw missing("There is no such preset");
  return withName(preset);
}
