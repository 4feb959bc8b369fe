import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** A text of the game client, by number. */
export class Cliloc extends Model<InferAttributes<Cliloc>, InferCreationAttributes<Cliloc>> {
  declare number: number;
  declare text: string;
}

export const defineModel = (sequelize: Sequelize): typeof Cliloc =>
  class extends Cliloc {}.init(
    {
      number: primaryKeyColumn(DataTypes.INTEGER),
      text: requiredColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "Cliloc", tableName: "clilocs" },
  );
