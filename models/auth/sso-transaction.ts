import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, unique, withDefault } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";
import type { Tie } from "../tie.ts";

/** A browser that was sent to a provider, and what is to happen when it comes back. */
export class SsoTransaction extends Model<
  InferAttributes<SsoTransaction>,
  InferCreationAttributes<SsoTransaction>
> {
  declare id: CreationOptional<number>;
  /** SHA-256 of the `state` that the provider sends back. */
  declare stateHash: Buffer;
  /** SHA-256 of the browser's session id: no other browser may finish. */
  declare browserHash: Buffer;
  declare providerId: string;
  declare mode: "login" | "link" | "mobile";
  /** Who links an identity; null otherwise. */
  declare userId: number | null;
  /** Null where the provider issues no ID token. */
  declare nonce: string | null;
  declare codeVerifier: string;
  declare returnTo: CreationOptional<string>;
  /** What the app asked for; null but for `mobile`. */
  declare appRedirectUri: string | null;
  declare appState: string | null;
  declare appChallenge: string | null;
  /** Whether the provider sent the browser back before without a result; that happens once. */
  declare isRetry: CreationOptional<boolean>;
  declare expiresAt: Date;
  declare consumedAt: Date | null;

  /** One conditional statement decides: of any number at once, one gets the row. */
  static async takeOnce(which: SsoReturn): Promise<SsoTransaction | null> {
    const [, [taken]] = await this.scope("open").update(
      { consumedAt: clockNow() },
      { where: { ...which }, returning: true },
    );
    return taken ?? null;
  }
}

/** What a browser that comes back shows. */
export type SsoReturn = Readonly<Pick<SsoTransaction, "stateHash" | "browserHash" | "providerId">>;

export const ties: readonly Tie[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  {
    owner: "AuthProvider",
    as: "provider",
    foreignKey: "providerId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const define = (sequelize: Sequelize): typeof SsoTransaction =>
  class extends SsoTransaction {}.init(
    {
      id: identity(DataTypes.BIGINT),
      stateHash: unique(required(DataTypes.BLOB)),
      browserHash: required(DataTypes.BLOB),
      providerId: required(DataTypes.TEXT),
      mode: required(DataTypes.TEXT),
      userId: optional(DataTypes.INTEGER),
      nonce: optional(DataTypes.TEXT),
      codeVerifier: required(DataTypes.TEXT),
      returnTo: withDefault(DataTypes.TEXT, "/"),
      appRedirectUri: optional(DataTypes.TEXT),
      appState: optional(DataTypes.TEXT),
      appChallenge: optional(DataTypes.TEXT),
      isRetry: withDefault(DataTypes.BOOLEAN, false),
      expiresAt: required(DataTypes.DATE),
      consumedAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "SsoTransaction",
      tableName: "sso_transactions",
      scopes: { open: () => ({ where: { consumedAt: null, expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
