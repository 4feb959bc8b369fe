import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { key, required, transactionTime } from "../columns.ts";
import type { Time } from "../queries/clock.ts";

/** That a trusted proxy wrote into X-Forwarded-For what is no address. Never the text itself. */
export class UnreadAddress extends Model<
  InferAttributes<UnreadAddress>,
  InferCreationAttributes<UnreadAddress>
> {
  /** Of the catalogue of forms: there are as many rows at most. */
  declare form: string;
  /** The address of the proxy that handed it on last. */
  declare proxy: string;
  declare seenAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof UnreadAddress =>
  class extends UnreadAddress {}.init(
    {
      form: key(DataTypes.TEXT),
      proxy: required(DataTypes.TEXT),
      seenAt: transactionTime(),
    },
    {
      sequelize,
      modelName: "UnreadAddress",
      tableName: "unread_addresses",
      scopes: { seenAfter: (time: Time) => ({ where: { seenAt: { [Op.gt]: time } } }) },
    },
  );
