import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
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

/** A code that an app gets after a sign-in at a provider and exchanges once for tokens. */
export class MobileSsoCode extends Model<
  InferAttributes<MobileSsoCode>,
  InferCreationAttributes<MobileSsoCode>
> {
  declare codeHash: Buffer;
  declare userId: number;
  declare identityId: number;
  /** SHA-256 in base64url of the secret that the app must present. */
  declare codeChallenge: string;
  declare amr: CreationOptional<string[]>;
  /** Whole epoch seconds. */
  declare issuedAt: number;
  /** Generation of the user's credentials at the time of issue. A null, written by an older release, is invalid. */
  declare generation: CreationOptional<number | null>;
  declare expiresAt: Date;
  declare consumedAt: Date | null;
  /** The device session that the app got for the code. */
  declare familyId: number | null;
  declare identity?: NonAttribute<Identity>;

  /** @returns false if the code was already used */
  static async useOnce(codeHash: Buffer, transaction: Transaction): Promise<boolean> {
    const [used] = await this.scope("open").update(
      { consumedAt: clockNow() },
      { where: { codeHash }, transaction },
    );
    return used === 1;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  { owner: "Identity", as: "identity", foreignKey: "identityId", onDelete: "CASCADE" },
  { owner: "MobileFamily", as: "family", foreignKey: "familyId", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof MobileSsoCode =>
  class extends MobileSsoCode {}.init(
    {
      codeHash: primaryKeyColumn(DataTypes.BLOB),
      userId: requiredColumn(DataTypes.INTEGER),
      identityId: requiredColumn(DataTypes.INTEGER),
      codeChallenge: requiredColumn(DataTypes.TEXT),
      amr: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      issuedAt: requiredColumn(DataTypes.BIGINT),
      generation: optionalColumn(DataTypes.INTEGER),
      expiresAt: requiredColumn(DataTypes.DATE),
      consumedAt: optionalColumn(DataTypes.DATE),
      familyId: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "MobileSsoCode",
      tableName: "mobile_sso_codes",
      scopes: { open: () => ({ where: { consumedAt: null, expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
