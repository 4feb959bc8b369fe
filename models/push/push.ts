import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, identity, optional, required, withDefault } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof Push =>
  class extends Push {}.init(
    {
      id: identity(DataTypes.BIGINT),
      stream: required(DataTypes.TEXT),
      ref: required(DataTypes.TEXT),
      eventKey: required(DataTypes.TEXT),
      userId: optional(DataTypes.INTEGER),
      createdAt: clockTime(),
      expiresAt: required(DataTypes.DATE),
      shardEventId: optional(DataTypes.BIGINT),
      deviceCursor: withDefault(DataTypes.INTEGER, 0),
      dispatchedAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "Push",
      tableName: "pushes",
      indexes: [{ unique: true, fields: ["stream", "event_key"] }],
    },
  );
