import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

export class OnlineCharacter extends Model<
  InferAttributes<OnlineCharacter>,
  InferCreationAttributes<OnlineCharacter>
> {
  declare serial: string;
  declare name: string;
  declare accountKey: string | null;
  declare map: string | null;
  declare x: number | null;
  declare y: number | null;
  declare z: number | null;
  declare region: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "ShardLink", as: "link", foreignKey: "accountKey", key: "accountKey" },
];

export const defineModel = (sequelize: Sequelize): typeof OnlineCharacter =>
  class extends OnlineCharacter {}.init(
    {
      serial: primaryKeyColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      accountKey: optionalColumn(DataTypes.TEXT),
      map: optionalColumn(DataTypes.TEXT),
      x: optionalColumn(DataTypes.INTEGER),
      y: optionalColumn(DataTypes.INTEGER),
      z: optionalColumn(DataTypes.INTEGER),
      region: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "OnlineCharacter", tableName: "online_characters" },
  );
