import type { Attributes, CreationAttributes } from "sequelize";

import type { SurvivalFactionTable } from "../../../models/survival/npcs/survival-faction-table.ts";
import type { SurvivalNpcPlacement } from "../../../models/survival/npcs/survival-npc-placement.ts";
import { deleteAll } from "../database/delete-all.ts";
import type { DatabaseHolder } from "../database/query.ts";

/** Changes when and by whom the faction table was last written. */
export const changeFactionTable = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<SurvivalFactionTable>>,
): Promise<void> => void (await context.models.SurvivalFactionTable.update(changes, { where: {} }));

/** Deletes all NPCs, and the records of which NPCs the servers have. */
export const deleteNpcs = (on: DatabaseHolder): Promise<void> =>
  deleteAll(
    on,
    "SurvivalNpcProfile",
    "SurvivalNpcPlacement",
    "SurvivalNpcPush",
    "SurvivalNpcServer",
  );

type PlacementRow = CreationAttributes<SurvivalNpcPlacement>;

/** Returns the row of a placement. By default it has one forest boss at the center of the world. */
export const placementRow = (
  given: Pick<PlacementRow, "serverId" | "name"> & Partial<PlacementRow>,
): PlacementRow => ({
  profileKey: "forest-boss",
  anchor: "world",
  x: 0,
  y: 0,
  z: 0,
  rotation: 0,
  count: 1,
  radius: 0,
  enabled: true,
  onWipe: "keep",
  ...given,
});

/** Inserts this many placements of forest bosses. Their names are p1, p2 and so on. */
export async function buildPlacements(
  { context }: DatabaseHolder,
  serverId: number,
  count: number,
): Promise<void> {
  const placements = Array.from({ length: count }, (_, index) =>
    placementRow({ serverId, name: `p${index + 1}` }),
  );
  await context.models.SurvivalNpcPlacement.bulkCreate(placements);
}
