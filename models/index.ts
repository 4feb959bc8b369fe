import type { Sequelize } from "sequelize";

import { associate } from "./associations.ts";
import { defineEach, type Models } from "./definitions.ts";

export type { Models } from "./definitions.ts";

const defined = new WeakMap<Sequelize, Models>();

/** The models on one connection, defined once; a process hands them down in its context. */
export function defineModels(sequelize: Sequelize): Models {
  const known = defined.get(sequelize);
  if (known) return known;
  const models = defineEach(sequelize);
  associate(models);
  defined.set(sequelize, models);
  return models;
}
