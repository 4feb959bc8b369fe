import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** Something that happened and goes out on one push stream. It is kept so that it goes out once. */
export class Push extends Model<InferAttributes<Push>, InferCreationAttributes<Push>> {
  declare id: CreationOptional<number>;
  declare stream: string;
  /** What the message names. */
  declare ref: string;
  /** What makes two of a stream one. */
  declare eventKey: string;
  /** Whom a personal one is for. */
  declare userId: number | null;
  declare createdAt: CreationOptional<Date>;
  /** After this it is no news any more. */
  declare expiresAt: Date;
  /** The event of the shard that it tells of. */
  declare shardEventId: CreationOptional<number | null>;
  /** Devices up to this one have their deliveries. */
  declare deviceCursor: CreationOptional<number>;
  /** When everybody it is for had a delivery. */
  declare dispatchedAt: Date | null;
}

export const ties: readonly Tie[] = [
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
