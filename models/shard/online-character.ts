import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof OnlineCharacter =>
  class extends OnlineCharacter {}.init(
    {
      serial: key(DataTypes.TEXT),
      name: required(DataTypes.TEXT),
      accountKey: optional(DataTypes.TEXT),
      map: optional(DataTypes.TEXT),
      x: optional(DataTypes.INTEGER),
      y: optional(DataTypes.INTEGER),
      z: optional(DataTypes.INTEGER),
      region: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "OnlineCharacter", tableName: "online_characters" },
  );
