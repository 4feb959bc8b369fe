import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import { transactionStart } from "../queries/clock.ts";

/** All roles except `player` are staff. */
export type Role = "admin" | "editor" | "moderator" | "player";

/** An account of the site. Every change of its credentials must lock its row first. */
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  declare id: CreationOptional<number>;
  declare username: string;
  /** The name in lower case. An account without `usernameFold` is found only by this key. */
  declare usernameKey: string;
  /**
   * The folded name: names with equal folds look alike. Null if not computed yet, or if an older account has the
   * same fold.
   */
  declare usernameFold: string | null;
  declare email: string | null;
  /** The address in lower case; several accounts may share it. */
  declare emailKey: string | null;
  declare role: Role;
  /** Null if the user signs in only at a provider, or has not yet used the mailed link to set a password. */
  declare passwordHash: string | null;
  /** Id of the pepper of the password hash; null for none. */
  declare pepperId: string | null;
  declare totpSecretSealed: string | null;
  declare totpEnabled: CreationOptional<boolean>;
  declare totpFailCount: CreationOptional<number>;
  declare totpLockedUntil: Date | null;
  /** Generation of the credentials: raising it invalidates all credentials with another number. */
  declare generation: CreationOptional<number>;
  declare disabledAt: Date | null;
  /** When a player became staff; null for players and for accounts created as staff. */
  declare staffSince: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;

  /** Changes columns of a user, and `updatedAt`. @returns false if there is no such user */
  static async change(id: number, to: UserChanges, transaction: Transaction): Promise<boolean> {
    const changes = { ...to, updatedAt: transactionStart() };
    const [count] = await this.update(changes, { where: { id }, transaction });
    return count > 0;
  }

  /** Invalidates all existing credentials of a user. */
  static async cutCredentials(id: number, transaction: Transaction): Promise<void> {
    const changes = { generation: literal("generation + 1"), updatedAt: transactionStart() };
    await this.update(changes, { where: { id }, transaction });
  }
}

type UserChanges = Partial<InferAttributes<User>>;

export const defineModel = (sequelize: Sequelize): typeof User =>
  class extends User {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      username: requiredColumn(DataTypes.TEXT),
      usernameKey: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      usernameFold: uniqueColumn(optionalColumn(DataTypes.TEXT)),
      email: optionalColumn(DataTypes.TEXT),
      emailKey: optionalColumn(DataTypes.TEXT),
      role: requiredColumn(DataTypes.TEXT),
      passwordHash: optionalColumn(DataTypes.TEXT),
      pepperId: optionalColumn(DataTypes.TEXT),
      totpSecretSealed: optionalColumn(DataTypes.TEXT),
      totpEnabled: withDefault(DataTypes.BOOLEAN, false),
      totpFailCount: withDefault(DataTypes.INTEGER, 0),
      totpLockedUntil: optionalColumn(DataTypes.DATE),
      generation: withDefault(DataTypes.INTEGER, 0),
      disabledAt: optionalColumn(DataTypes.DATE),
      staffSince: optionalColumn(DataTypes.DATE),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "User",
      tableName: "users",
      scopes: {
        enabled: { where: { disabledAt: null } },
        staff: { where: { role: { [Op.ne]: "player" } } },
        administrators: { where: { role: "admin", disabledAt: null } },
      },
    },
  );
