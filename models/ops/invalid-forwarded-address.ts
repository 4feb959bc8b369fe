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
import type { SqlTime } from "../queries/clock.ts";

/** A malformed X-Forwarded-For entry of a trusted proxy. The text itself is not stored. */
export class InvalidForwardedAddress extends Model<
  InferAttributes<InvalidForwardedAddress>,
  InferCreationAttributes<InvalidForwardedAddress>
> {
  /** One of the catalogued forms, so the number of rows is limited. */
  declare form: string;
  /** Address of the proxy that last forwarded it. */
  declare proxy: string;
  declare seenAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof InvalidForwardedAddress =>
  class extends InvalidForwardedAddress {}.init(
    {
      form: key(DataTypes.TEXT),
      proxy: required(DataTypes.TEXT),
      seenAt: transactionTime(),
    },
    {
      sequelize,
      modelName: "UnreadAddress",
      tableName: "unread_addresses",
      scopes: { seenAfter: (time: SqlTime) => ({ where: { seenAt: { [Op.gt]: time } } }) },
    },
  );
