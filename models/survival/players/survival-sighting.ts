import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { clockTime, key, required } from "../../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalSighting =>
  class extends SurvivalSighting {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      steamId: key(DataTypes.TEXT),
      name: required(DataTypes.TEXT),
      firstSeenAt: clockTime(),
      lastSeenAt: clockTime(),
    },
    { sequelize, modelName: "SurvivalSighting", tableName: "survival_sightings" },
  );
