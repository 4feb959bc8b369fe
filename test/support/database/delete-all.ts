import type { Model, ModelStatic } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { DatabaseHolder } from "./query.ts";

/** Deletes all rows of these models, in the given order. */
export async function deleteAll(
  { context }: DatabaseHolder,
  ...names: readonly (keyof Models)[]
): Promise<void> {
  for (const name of names) {
    const model: ModelStatic<Model> = context.models[name];
    await model.destroy({ where: {} });
  }
}
