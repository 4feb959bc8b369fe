import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** A browser that was sent to a provider, and what to do when it returns. */
export class SsoTransaction extends Model<
  InferAttributes<SsoTransaction>,
  InferCreationAttributes<SsoTransaction>
> {
  declare id: CreationOptional<number>;
  /** SHA-256 of the `state` that the provider sends back. */
  declare stateHash: Buffer;
  /** SHA-256 of the browser's session id: only this browser may complete the sign-in. */
  declare browserHash: Buffer;
  declare providerId: string;
  declare mode: "login" | "link" | "mobile";
  /** User who links an identity; null for a sign-in. */
  declare userId: number | null;
  /** Null if the provider issues no ID token. */
  declare nonce: string | null;
  declare codeVerifier: string;
  declare returnTo: CreationOptional<string>;
  /** The app's redirect URI, state and challenge; null unless the mode is `mobile`. */
  declare appRedirectUri: string | null;
  declare appState: string | null;
  declare appChallenge: string | null;
  /** True if the provider has already returned the browser once without a result. There is only one retry. */
  declare isRetry: CreationOptional<boolean>;
  declare expiresAt: Date;
  declare consumedAt: Date | null;

  /** Consumes a transaction by one conditional update, so that only one of several concurrent calls succeeds. */
  static async consumeOnce(which: SsoCallback): Promise<SsoTransaction | null> {
    const [, [taken]] = await this.scope("open").update(
      { consumedAt: clockNow() },
      { where: { ...which }, returning: true },
    );
    return taken ?? null;
  }
}

/** The values that a returning browser must present. */
export type SsoCallback = Readonly<
  Pick<SsoTransaction, "stateHash" | "browserHash" | "providerId">
>;

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  {
    owner: "AuthProvider",
    as: "provider",
    foreignKey: "providerId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const defineModel = (sequelize: Sequelize): typeof SsoTransaction =>
  class extends SsoTransaction {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      stateHash: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      browserHash: requiredColumn(DataTypes.BLOB),
      providerId: requiredColumn(DataTypes.TEXT),
      mode: requiredColumn(DataTypes.TEXT),
      userId: optionalColumn(DataTypes.INTEGER),
      nonce: optionalColumn(DataTypes.TEXT),
      codeVerifier: requiredColumn(DataTypes.TEXT),
      returnTo: withDefault(DataTypes.TEXT, "/"),
      appRedirectUri: optionalColumn(DataTypes.TEXT),
      appState: optionalColumn(DataTypes.TEXT),
      appChallenge: optionalColumn(DataTypes.TEXT),
      isRetry: withDefault(DataTypes.BOOLEAN, false),
      expiresAt: requiredColumn(DataTypes.DATE),
      consumedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "SsoTransaction",
      tableName: "sso_transactions",
      scopes: { open: () => ({ where: { consumedAt: null, expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
