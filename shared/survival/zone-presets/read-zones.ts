import { Op } from "sequelize";

import { anyId } from "../../../models/any-id.ts";
import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import type { SurvivalZonePreset } from "../../../models/survival/survival-zone-preset.ts";
import type { Context } from "../../context.ts";
import { missing } from "../../errors.ts";

/** A preset, and who changed it last. */
export interface ReadPreset {
  readonly preset: SurvivalZonePreset;
  readonly updatedBy: string | null;
}

const withEditor = { include: [{ association: "changedBy", attributes: ["username"] }] };

const withName = (preset: SurvivalZonePreset): ReadPreset => {
  const editor = preset.get("changedBy") as { readonly username: string } | null;
  return { preset, updatedBy: editor?.username ?? null };
};

/** Presets, and zones that are open or may be, the latest first. */
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
export async function readPreset(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<ReadPreset> {
  const preset = await models.SurvivalZonePreset.findOne({
    where: { id: anyId(id) },
    ...withEditor,
  });
  if (!preset) throw missing("There is no such preset");
  return withName(preset);
}
