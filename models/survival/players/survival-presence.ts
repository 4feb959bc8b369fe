import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, requiredColumn } from "../../columns.ts";

/** A player who is on a survival server now. */
export class SurvivalPresence extends Model<
  InferAttributes<SurvivalPresence>,
  InferCreationAttributes<SurvivalPresence>
> {
  declare serverId: number;
  declare steamId: string;
  declare name: string;
  declare connectedAt: Date;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalPresence =>
  class extends SurvivalPresence {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      connectedAt: requiredColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalPresence", tableName: "survival_presence" },
  );
