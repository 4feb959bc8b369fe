import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { identity, optional, required } from "../../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalLinkCode =>
  class extends SurvivalLinkCode {}.init(
    {
      id: identity(DataTypes.BIGINT),
      serverId: required(DataTypes.INTEGER),
      salt: required(DataTypes.TEXT),
      digest: required(DataTypes.TEXT),
      expiresAt: required(DataTypes.DATE),
      usedAt: optional(DataTypes.DATE),
      usedBy: optional(DataTypes.INTEGER),
      steamId: optional(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalLinkCode",
      tableName: "survival_link_codes",
      indexes: [{ unique: true, fields: ["server_id", "digest"] }],
    },
  );
