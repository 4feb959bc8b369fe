import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn, transactionTimeColumn } from "../columns.ts";
import type { SqlTime } from "../queries/clock.ts";

/** A kind of invalid X-Forwarded-For entry that a trusted proxy has sent. The entry itself is not stored. */
export class InvalidForwardedAddress extends Model<
  InferAttributes<InvalidForwardedAddress>,
  InferCreationAttributes<InvalidForwardedAddress>
> {
  /** The kind of fault, one of a catalog, so the number of rows is limited. */
  declare form: string;
  /** Address of the proxy that sent such an entry last. */
  declare proxy: string;
  declare seenAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof InvalidForwardedAddress =>
  class extends InvalidForwardedAddress {}.init(
    {
      form: primaryKeyColumn(DataTypes.TEXT),
      proxy: requiredColumn(DataTypes.TEXT),
      seenAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "UnreadAddress",
      tableName: "unread_addresses",
      scopes: { seenAfter: (time: SqlTime) => ({ where: { seenAt: { [Op.gt]: time } } }) },
    },
  );
