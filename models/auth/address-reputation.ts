import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, optionalColumn, withDefault } from "../columns.ts";
import { clockNow, selectReadAt, remainingMs } from "../queries/clock.ts";

/** Recent behavior of an address: its bot score, bans and blocked sign-ins. */
export class AddressReputation extends Model<
  InferAttributes<AddressReputation>,
  InferCreationAttributes<AddressReputation>
> {
  /** An IPv4 address, an IPv6 /64, or a wider network: an IPv6 /56 or /48, an IPv4 /24. */
  declare addressKey: string;
  declare score: CreationOptional<number>;
  declare scoredAt: CreationOptional<Date>;
  declare strikes: CreationOptional<number>;
  declare bannedUntil: Date | null;
  declare loginStrikes: CreationOptional<number>;
  declare loginBlockedUntil: Date | null;

  /** Returns the milliseconds until the address may sign in again; 0 if it is not blocked. */
  static async readLoginBlock(addressKey: string): Promise<number> {
    const attributes = ["loginBlockedUntil", selectReadAt()];
    const block = await this.scope("loginBlocked").findByPk(addressKey, { attributes });
    return block ? remainingMs(block.loginBlockedUntil, block) : 0;
  }

  /** Returns the banned addresses with the remaining milliseconds of their bans. */
  static async readBans(): Promise<(readonly [addressKey: string, restMs: number])[]> {
    const attributes = ["addressKey", "bannedUntil", selectReadAt()];
    const bans = await this.scope("banned").findAll({ attributes });
    return bans.map((ban) => [ban.addressKey, remainingMs(ban.bannedUntil, ban)]);
  }
}

export const defineModel = (sequelize: Sequelize): typeof AddressReputation =>
  class extends AddressReputation {}.init(
    {
      addressKey: primaryKeyColumn(DataTypes.TEXT),
      score: withDefault(DataTypes.DOUBLE, 0),
      scoredAt: clockTimeColumn(),
      strikes: withDefault(DataTypes.INTEGER, 0),
      bannedUntil: optionalColumn(DataTypes.DATE),
      loginStrikes: withDefault(DataTypes.INTEGER, 0),
      loginBlockedUntil: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "AddressReputation",
      tableName: "ip_reputation",
      scopes: {
        banned: () => ({ where: { bannedUntil: { [Op.gt]: clockNow() } } }),
        loginBlocked: () => ({ where: { loginBlockedUntil: { [Op.gt]: clockNow() } } }),
      },
    },
  );
