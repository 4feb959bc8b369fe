import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

/** A map image of a world, identified by the hash of its bytes. */
export class SurvivalMapImage extends Model<
  InferAttributes<SurvivalMapImage>,
  InferCreationAttributes<SurvivalMapImage>
> {
  declare serverId: number;
  declare hash: string;
  /** The newest world that has this map image. */
  declare wipeId: number;
  declare mime: string;
  declare bytes: Buffer;
  declare width: number;
  declare height: number;
  /** Pixels of sea on each side of the world. */
  declare oceanMargin: number;
  declare background: string | null;
  /** Meters. */
  declare worldSize: number;
  declare storedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "SurvivalWipe", as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalMapImage =>
  class extends SurvivalMapImage {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      hash: primaryKeyColumn(DataTypes.TEXT),
      wipeId: requiredColumn(DataTypes.INTEGER),
      mime: requiredColumn(DataTypes.TEXT),
      bytes: requiredColumn(DataTypes.BLOB),
      width: requiredColumn(DataTypes.INTEGER),
      height: requiredColumn(DataTypes.INTEGER),
      oceanMargin: requiredColumn(DataTypes.INTEGER),
      background: optionalColumn(DataTypes.TEXT),
      worldSize: requiredColumn(DataTypes.INTEGER),
      storedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "SurvivalMapImage", tableName: "survival_map_images" },
  );
