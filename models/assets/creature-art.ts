import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { AtlasCreature } from "../atlas/atlas-creature.ts";
import { primaryKeyColumn, optionalColumn } from "../columns.ts";
import type { Asset } from "./asset.ts";

/** The artwork of a creature. An operator's choice overrides the one derived from its body. */
export class CreatureArt extends Model<
  InferAttributes<CreatureArt>,
  InferCreationAttributes<CreatureArt>
> {
  declare typeKey: string;
  declare derivedKey: string | null;
  declare operatorKey: string | null;
  declare creature?: NonAttribute<AtlasCreature | null>;
  declare chosen?: NonAttribute<Asset | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "AtlasCreature", as: "creature", foreignKey: "typeKey", key: "typeKey" },
  { owner: "Asset", as: "chosen", foreignKey: "operatorKey", key: "key" },
];

export const defineModel = (sequelize: Sequelize): typeof CreatureArt =>
  class extends CreatureArt {}.init(
    {
      typeKey: primaryKeyColumn(DataTypes.TEXT),
      derivedKey: optionalColumn(DataTypes.TEXT),
      operatorKey: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "CreatureArt", tableName: "creature_art" },
  );
