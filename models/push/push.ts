import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  withDefault,
} from "../columns.ts";

/** An event for one push stream, stored so that it is sent once. */
export class Push extends Model<InferAttributes<Push>, InferCreationAttributes<Push>> {
  declare id: CreationOptional<number>;
  declare stream: string;
  /** Object that the message refers to. */
  declare ref: string;
  /** Equal for repeated announcements of one event on the stream; only the first is stored. */
  declare eventKey: string;
  /** Recipient of a personal push. */
  declare userId: number | null;
  declare createdAt: CreationOptional<Date>;
  /** The push is not sent after this time. */
  declare expiresAt: Date;
  /** The shard event that caused the push. */
  declare shardEventId: CreationOptional<number | null>;
  /** Devices up to this id have deliveries. */
  declare deviceCursor: CreationOptional<number>;
  /** When the last device got its delivery. */
  declare dispatchedAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", rows: "pushes", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof Push =>
  class extends Push {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      stream: requiredColumn(DataTypes.TEXT),
      ref: requiredColumn(DataTypes.TEXT),
      eventKey: requiredColumn(DataTypes.TEXT),
      userId: optionalColumn(DataTypes.INTEGER),
      createdAt: clockTimeColumn(),
      expiresAt: requiredColumn(DataTypes.DATE),
      shardEventId: optionalColumn(DataTypes.BIGINT),
      deviceCursor: withDefault(DataTypes.INTEGER, 0),
      dispatchedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "Push",
      tableName: "pushes",
      indexes: [{ unique: true, fields: ["stream", "event_key"] }],
    },
  );
