import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { optionalColumn, transactionTimeColumn, singleRowKey, withDefault } from "../columns.ts";

export const shardConnectionKinds = ["sidecar", "plugin", "status"] as const;
export type ShardConnectionKind = (typeof shardConnectionKinds)[number];

/** The configured link of the shard. A single row. */
export class ShardConnection extends Model<
  InferAttributes<ShardConnection>,
  InferCreationAttributes<ShardConnection>
> {
  declare id: CreationOptional<number>;
  declare kind: CreationOptional<ShardConnectionKind>;
  declare baseUrl: CreationOptional<string>;
  declare wsUrl: CreationOptional<string>;
  declare tokenSealed: string | null;
  declare protocol: CreationOptional<number>;
  /** Address of the status packet; only for the kind `status`. */
  declare statusHost: CreationOptional<string>;
  declare statusPort: CreationOptional<number>;
  declare enabled: CreationOptional<boolean>;
  declare changedAt: CreationOptional<Date>;
  declare changedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changer", foreignKey: "changedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof ShardConnection =>
  class extends ShardConnection {}.init(
    {
      id: singleRowKey(),
      kind: withDefault(DataTypes.TEXT, "sidecar"),
      baseUrl: withDefault(DataTypes.TEXT, ""),
      wsUrl: withDefault(DataTypes.TEXT, ""),
      tokenSealed: optionalColumn(DataTypes.TEXT),
      protocol: withDefault(DataTypes.INTEGER, 8),
      statusHost: withDefault(DataTypes.TEXT, ""),
      statusPort: withDefault(DataTypes.INTEGER, 2593),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      changedAt: transactionTimeColumn(),
      changedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SidecarLink", tableName: "shardlink" },
  );
