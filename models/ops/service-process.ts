import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";
import { transactionStartPlus } from "../queries/clock.ts";

/** A process of the service with a recent heartbeat. */
export class ServiceProcess extends Model<
  InferAttributes<ServiceProcess>,
  InferCreationAttributes<ServiceProcess>
> {
  declare id: string;
  declare kind: string;
  declare queueGroups: CreationOptional<string[]>;
  declare host: string;
  declare pid: number;
  declare version: string;
  declare internalPort: number | null;
  declare startedAt: CreationOptional<Date>;
  declare seenAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof ServiceProcess =>
  class extends ServiceProcess {}.init(
    {
      id: primaryKeyColumn(DataTypes.UUID),
      kind: requiredColumn(DataTypes.TEXT),
      queueGroups: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      host: requiredColumn(DataTypes.TEXT),
      pid: requiredColumn(DataTypes.INTEGER),
      version: requiredColumn(DataTypes.TEXT),
      internalPort: optionalColumn(DataTypes.INTEGER),
      startedAt: transactionTimeColumn(),
      seenAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "ServiceProcess",
      tableName: "processes",
      scopes: {
        seenWithin: (seconds: number) => ({
          where: { seenAt: { [Op.gt]: transactionStartPlus(-seconds * 1000) } },
        }),
        longGone: { where: { seenAt: { [Op.lt]: transactionStartPlus(-86_400_000) } } },
      },
    },
  );
