import type { Model, ModelStatic, Sequelize } from "sequelize";

import type { ModelAssociation } from "./association.ts";
import * as catalogue from "./catalogue.ts";

type Catalogue = typeof catalogue;

export type Models = {
  readonly [Name in keyof Catalogue]: ReturnType<Catalogue[Name]["defineModel"]>;
};

interface ModelModule {
  defineModel(this: void, sequelize: Sequelize): ModelStatic<Model>;
  readonly associations?: readonly ModelAssociation[];
}

const modules = Object.entries<ModelModule>(catalogue);

const defined = new WeakMap<Sequelize, Models>();

/** Defines the models for a connection, once per connection. */
export function defineModels(sequelize: Sequelize): Models {
  const known = defined.get(sequelize);
  if (known) return known;
  const models = Object.fromEntries(
    modules.map(([name, { defineModel }]) => [name, defineModel(sequelize)] as const),
  );
  for (const [name, { associations = [] }] of modules) {
    for (const association of associations) {
      associate(modelOf(name, models), modelOf(association.owner, models), association);
    }
  }
  const all = models as unknown as Models;
  defined.set(sequelize, all);
  return all;
}

function modelOf(
  name: string,
  models: Readonly<Record<string, ModelStatic<Model>>>,
): ModelStatic<Model> {
  const model = models[name];
  if (!model) throw new Error(`there is no model ${name}`);
  return model;
}

function associate(
  row: ModelStatic<Model>,
  owner: ModelStatic<Model>,
  association: ModelAssociation,
): void {
  const { as, foreignKey, rows, isOne, onDelete = "NO ACTION", isUnconstrained, key } = association;
  const common =
    key === undefined
      ? { foreignKey, onDelete, onUpdate: "NO ACTION", constraints: !isUnconstrained }
      : { foreignKey, constraints: false };
  row.belongsTo(owner, { as, ...common, ...(key !== undefined && { targetKey: key }) });
  if (rows === undefined) return;
  const back = { as: rows, ...common, ...(key !== undefined && { sourceKey: key }) };
  if (isOne) owner.hasOne(row, back);
  else owner.hasMany(row, back);
}
