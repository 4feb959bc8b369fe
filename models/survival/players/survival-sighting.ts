import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../../columns.ts";

/** A player who was seen on a survival server, with the last name there. */
export class SurvivalSighting extends Model<
  InferAttributes<SurvivalSighting>,
  InferCreationAttributes<SurvivalSighting>
> {
  declare serverId: number;
  declare steamId: string;
  declare name: string;
  declare firstSeenAt: CreationOptional<Date>;
  declare lastSeenAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalSighting =>
  class extends SurvivalSighting {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      firstSeenAt: clockTimeColumn(),
      lastSeenAt: clockTimeColumn(),
    },
    { sequelize, modelName: "SurvivalSighting", tableName: "survival_sightings" },
  );
