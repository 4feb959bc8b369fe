import type { Attributes } from "sequelize";

import type { SurvivalFactionTable } from "../../../models/survival/survival-faction-table.ts";
import { deleteAll } from "../delete-all.ts";
import type { OnDatabase } from "../query.ts";

/** Changes when the pairs of factions were written last, and by whom. */
export const changeFactionTable = async (
  { context }: OnDatabase,
  changes: Partial<Attributes<SurvivalFactionTable>>,
): Promise<void> => void (await context.models.SurvivalFactionTable.update(changes, { where: {} }));

/** Has the site know of no NPC, and of none that a server was told of. */
export const deleteNpcs = (on: OnDatabase): Promise<void> =>
  deleteAll(
    on,
    "SurvivalNpcProfile",
    "SurvivalNpcPlacement",
    "SurvivalNpcPush",
    "SurvivalNpcServer",
  );

/** So many placements of forest bosses, named p1 and on. */
export async function buildPlacements(
  { context }: OnDatabase,
  serverId: number,
  count: number,
): Promise<void> {
  const placements = Array.from({ length: count }, (_, index) => ({
    serverId,
    profileKey: "forest-boss",
    name: `p${index + 1}`,
    anchor: "world" as const,
    x: 0,
    y: 0,
    z: 0,
    rotation: 0,
    count: 1,
    radius: 0,
    enabled: true,
    onWipe: "keep" as const,
  }));
  await context.models.SurvivalNpcPlacement.bulkCreate(placements);
}
