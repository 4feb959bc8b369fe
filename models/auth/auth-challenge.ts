import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn, withDefault } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";
import type { Identity } from "./identity.ts";
import type { SsoTransaction } from "./sso-transaction.ts";

/** A sign-in whose password was correct and whose second factor is missing. */
export class AuthChallenge extends Model<
  InferAttributes<AuthChallenge>,
  InferCreationAttributes<AuthChallenge>
> {
  declare id: string;
  declare userId: number;
  declare kind: "totp" | "sso_totp";
  /** Whole epoch seconds. */
  declare issuedAt: number;
  /** Generation of the user's credentials at the time of issue. A null, written by an older release, is invalid. */
  declare generation: CreationOptional<number | null>;
  /** The identity and the transaction of a sign-in at a provider; null for a sign-in by password. */
  declare identityId: CreationOptional<number | null>;
  declare ssoTransactionId: CreationOptional<number | null>;
  declare attempts: CreationOptional<number>;
  declare consumedAt: Date | null;
  declare expiresAt: Date;
  declare identity?: NonAttribute<Identity>;
  declare ssoTransaction?: NonAttribute<SsoTransaction>;

  /**
   * Counts one attempt atomically.
   * @returns false if the challenge is used or expired, or has no attempts left
   */
  static async countAttempt(id: string, mostAttempts: number): Promise<boolean> {
    const [taken] = await this.scope("open").update(
      { attempts: literal("attempts + 1") },
      { where: { id, attempts: { [Op.lt]: mostAttempts } } },
    );
    return taken === 1;
  }

  static async returnAttempt(id: string): Promise<void> {
    await this.decrement("attempts", { where: { id } });
  }

  /** @returns false if the challenge was already used */
  static async useOnce(id: string, transaction: Transaction): Promise<boolean> {
    const where = { id, consumedAt: null };
    const [used] = await this.update({ consumedAt: clockNow() }, { where, transaction });
    return used === 1;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  { owner: "Identity", as: "identity", foreignKey: "identityId", onDelete: "CASCADE" },
  {
    owner: "SsoTransaction",
    as: "ssoTransaction",
    foreignKey: "ssoTransactionId",
    onDelete: "CASCADE",
  },
];

export const defineModel = (sequelize: Sequelize): typeof AuthChallenge =>
  class extends AuthChallenge {}.init(
    {
      id: primaryKeyColumn(DataTypes.UUID),
      userId: requiredColumn(DataTypes.INTEGER),
      kind: requiredColumn(DataTypes.TEXT),
      issuedAt: requiredColumn(DataTypes.BIGINT),
      generation: optionalColumn(DataTypes.INTEGER),
      identityId: optionalColumn(DataTypes.INTEGER),
      ssoTransactionId: optionalColumn(DataTypes.BIGINT),
      attempts: withDefault(DataTypes.SMALLINT, 0),
      consumedAt: optionalColumn(DataTypes.DATE),
      expiresAt: requiredColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "AuthChallenge",
      tableName: "auth_challenges",
      scopes: { open: () => ({ where: { consumedAt: null, expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
