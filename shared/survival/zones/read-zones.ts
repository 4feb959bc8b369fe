import { Op, type WhereOptions } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import type { SurvivalZonePreset } from "../../../models/survival/survival-zone-preset.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";

/** A preset with the user who last changed it. */
export interface PresetRecord {
  readonly preset: SurvivalZonePreset;
  readonly updatedBy: string | null;
}

const withEditor = { include: [{ association: "changedBy", attributes: ["username"] }] };

const addEditorName = (preset: SurvivalZonePreset): PresetRecord => {
  const editor = preset.get("changedBy") as { readonly username: string } | null;
  return { preset, updatedBy: editor?.username ?? null };
};

/** Reads the presets, and the zones that are open or may be open, newest first. */
export async function readZones({ models }: Pick<Context, "models">): Promise<{
  presets: PresetRecord[];
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
  return { presets: presets.map(addEditorName), open };
}

/** @throws {AppError} missing if no preset has this id */
export const readPreset = (id: number, context: Pick<Context, "models">): Promise<PresetRecord> =>
  readPresetWhere({ id: matchClientId(id) }, context);

/** @throws {AppError} missing if no preset has this key */
export const readPresetByKey = (
  key: string,
  context: Pick<Context, "models">,
): Promise<PresetRecord> => readPresetWhere({ key }, context);

async function readPresetWhere(
  where: WhereOptions<SurvivalZonePreset>,
  { models }: Pick<Context, "models">,
): Promise<PresetRecord> {
  const preset = await models.SurvivalZonePreset.findOne({ where, ...withEditor });
  if (!preset) throw notFoundError("There is no such preset");
  return addEditorName(preset);
}
