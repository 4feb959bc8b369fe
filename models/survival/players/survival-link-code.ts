import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { identityColumn, optionalColumn, requiredColumn } from "../../columns.ts";

/** A code for a Steam link that a server announced. */
export class SurvivalLinkCode extends Model<
  InferAttributes<SurvivalLinkCode>,
  InferCreationAttributes<SurvivalLinkCode>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare salt: string;
  /** Keyed digest (with a key of the site) of the salted hash from the server. */
  declare digest: string;
  declare expiresAt: Date;
  /** A used code cannot be used again. */
  declare usedAt: Date | null;
  declare usedBy: number | null;
  /** Steam account of the player; null until the code is used. */
  declare steamId: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "user", foreignKey: "usedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalLinkCode =>
  class extends SurvivalLinkCode {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      serverId: requiredColumn(DataTypes.INTEGER),
      salt: requiredColumn(DataTypes.TEXT),
      digest: requiredColumn(DataTypes.TEXT),
      expiresAt: requiredColumn(DataTypes.DATE),
      usedAt: optionalColumn(DataTypes.DATE),
      usedBy: optionalColumn(DataTypes.INTEGER),
      steamId: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalLinkCode",
      tableName: "survival_link_codes",
      indexes: [{ unique: true, fields: ["server_id", "digest"] }],
    },
  );
