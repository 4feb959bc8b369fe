import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { key, optional, required, withDefault } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** What a check of a provider over the network found. */
export type FoundHealth = "ok" | "unreachable" | "wrong_issuer" | "bad_secret" | "unsupported";

/** How a client sends its secret to a token endpoint (RFC 6749 §2.3.1). */
export type TokenAuthMethod = "client_secret_basic" | "client_secret_post";

/** An algorithm of a signed token (RFC 7518, RFC 8037, RFC 9864). */
export type IdTokenAlgorithm =
  | `${"RS" | "PS" | "ES" | "HS"}${"256" | "384" | "512"}`
  | "EdDSA"
  | "Ed25519";

/** Somewhere else where people may sign in: its configuration, and how the last check ended. */
export class AuthProvider extends Model<
  InferAttributes<AuthProvider>,
  InferCreationAttributes<AuthProvider>
> {
  declare id: string;
  /** By which protocol: OpenID Connect, or OAuth 2.0 with the provider's own user endpoint. */
  declare kind: "oidc" | "oauth2";
  /** Its addresses are fixed and it cannot be deleted. */
  declare builtin: CreationOptional<boolean>;
  declare name: string;
  declare icon: string | null;
  /** Lower ones are offered first. */
  declare priority: CreationOptional<number>;
  declare enabled: CreationOptional<boolean>;
  /** Null for built-in ones. */
  declare issuer: string | null;
  declare clientId: string | null;
  declare clientSecretSealed: string | null;
  /** Beside those that every sign-in asks for. */
  declare scopes: CreationOptional<string[]>;
  /** How the client's secret is sent; null: as the provider's metadata says. */
  declare tokenAuthMethod: CreationOptional<TokenAuthMethod | null>;
  /** By which algorithm alone ID tokens are signed; null: by any with a published key. */
  declare idTokenAlgorithm: CreationOptional<IdTokenAlgorithm | null>;
  declare healthStatus: FoundHealth | null;
  declare healthDetail: string | null;
  declare healthAt: Date | null;

  /** Changes a provider; what was found of it so far counts no more. */
  static async change(
    id: string,
    to: Partial<InferAttributes<AuthProvider>>,
    transaction: Transaction,
  ): Promise<void> {
    const unknown = { healthStatus: null, healthDetail: null, healthAt: null };
    await this.update({ ...to, ...unknown }, { where: { id }, transaction });
  }

  /** Stores what a check found, unless what was checked was changed since the check began. */
  static async noteHealth(
    checked: CheckedProvider,
    healthStatus: FoundHealth,
    healthDetail: string | null,
  ): Promise<void> {
    const found = { healthStatus, healthDetail, healthAt: clockNow() };
    const { id, issuer, clientId, clientSecretSealed, tokenAuthMethod, idTokenAlgorithm } = checked;
    const where = { id, issuer, clientId, clientSecretSealed, tokenAuthMethod, idTokenAlgorithm };
    await this.update(found, { where });
  }
}

/** What a check depends on. */
type CheckedProvider = Readonly<
  Pick<
    AuthProvider,
    "id" | "issuer" | "clientId" | "clientSecretSealed" | "tokenAuthMethod" | "idTokenAlgorithm"
  >
>;

export const define = (sequelize: Sequelize): typeof AuthProvider =>
  class extends AuthProvider {}.init(
    {
      id: key(DataTypes.TEXT),
      kind: required(DataTypes.TEXT),
      builtin: withDefault(DataTypes.BOOLEAN, false),
      name: required(DataTypes.TEXT),
      icon: optional(DataTypes.TEXT),
      priority: withDefault(DataTypes.INTEGER, 0),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      issuer: optional(DataTypes.TEXT),
      clientId: optional(DataTypes.TEXT),
      clientSecretSealed: optional(DataTypes.TEXT),
      scopes: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      tokenAuthMethod: optional(DataTypes.TEXT),
      idTokenAlgorithm: optional(DataTypes.TEXT),
      healthStatus: optional(DataTypes.TEXT),
      healthDetail: optional(DataTypes.TEXT),
      healthAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "AuthProvider",
      tableName: "auth_providers",
      scopes: { enabled: { where: { enabled: true } } },
    },
  );
