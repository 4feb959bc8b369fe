import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A text of the game client, by number. */
export class Cliloc extends Model<InferAttributes<Cliloc>, InferCreationAttributes<Cliloc>> {
  declare number: number;
  declare text: string;
}

export const define = (sequelize: Sequelize): typeof Cliloc =>
  class extends Cliloc {}.init(
    {
      number: key(DataTypes.INTEGER),
      text: required(DataTypes.TEXT),
    },
    { sequelize, modelName: "Cliloc", tableName: "clilocs" },
  );
