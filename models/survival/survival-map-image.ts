import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalMapImage =>
  class extends SurvivalMapImage {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      hash: key(DataTypes.TEXT),
      wipeId: required(DataTypes.INTEGER),
      mime: required(DataTypes.TEXT),
      bytes: required(DataTypes.BLOB),
      width: required(DataTypes.INTEGER),
      height: required(DataTypes.INTEGER),
      oceanMargin: required(DataTypes.INTEGER),
      background: optional(DataTypes.TEXT),
      worldSize: required(DataTypes.INTEGER),
      storedAt: clockTime(),
    },
    { sequelize, modelName: "SurvivalMapImage", tableName: "survival_map_images" },
  );
