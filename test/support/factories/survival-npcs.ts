import type { Attributes } from "sequelize";

import type { SurvivalFactionTable } from "../../../models/survival/survival-faction-table.ts";
import type { OnDatabase } from "../query.ts";

/** Changes when the pairs of factions were written last, and by whom. */
export const changeFactionTable = async (
  { context }: OnDatabase,
  changes: Partial<Attributes<SurvivalFactionTable>>,
): Promise<void> => void (await context.models.SurvivalFactionTable.update(changes, { where: {} }));
