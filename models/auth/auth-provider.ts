import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn, withDefault } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** The result of checking a provider over the network. */
export type ProviderCheckStatus =
  | "ok"
  | "unreachable"
  | "wrong_issuer"
  | "bad_secret"
  | "unsupported";

/** How a client sends its secret to a token endpoint (RFC 6749 §2.3.1). */
export type TokenAuthMethod = "client_secret_basic" | "client_secret_post";

/** An algorithm of a signed token (RFC 7518, RFC 8037, RFC 9864). */
export type IdTokenAlgorithm =
  | `${"RS" | "PS" | "ES" | "HS"}${"256" | "384" | "512"}`
  | "EdDSA"
  | "Ed25519";

/** The configuration of a sign-in provider, and the result of its last check. */
export class AuthProvider extends Model<
  InferAttributes<AuthProvider>,
  InferCreationAttributes<AuthProvider>
> {
  declare id: string;
  /** Protocol: OpenID Connect, or OAuth 2.0 with the provider's own user endpoint. */
  declare kind: "oidc" | "oauth2";
  /** A built-in provider has fixed addresses and cannot be deleted. */
  declare builtin: CreationOptional<boolean>;
  declare name: string;
  declare icon: string | null;
  /** Lower values are listed first. */
  declare priority: CreationOptional<number>;
  declare enabled: CreationOptional<boolean>;
  /** Null for built-in providers. */
  declare issuer: string | null;
  declare clientId: string | null;
  declare clientSecretSealed: string | null;
  /** Scopes in addition to those that every sign-in requests. */
  declare scopes: CreationOptional<string[]>;
  /** Null to use the method that the provider's metadata names. */
  declare tokenAuthMethod: CreationOptional<TokenAuthMethod | null>;
  /** The only accepted algorithm of ID tokens; null to accept the algorithm of any published key. */
  declare idTokenAlgorithm: CreationOptional<IdTokenAlgorithm | null>;
  declare healthStatus: ProviderCheckStatus | null;
  declare healthDetail: string | null;
  declare healthAt: Date | null;

  /** Changes a provider and clears the result of its last check. */
  static async change(
    id: string,
    to: Partial<InferAttributes<AuthProvider>>,
    transaction: Transaction,
  ): Promise<void> {
    const unknown = { healthStatus: null, healthDetail: null, healthAt: null };
    await this.update({ ...to, ...unknown }, { where: { id }, transaction });
  }

  /** Stores the result of a check, unless the provider's configuration changed meanwhile. */
  static async storeHealth(
    checked: ProviderCheckConfig,
    healthStatus: ProviderCheckStatus,
    healthDetail: string | null,
  ): Promise<void> {
    const found = { healthStatus, healthDetail, healthAt: clockNow() };
    const { id, issuer, clientId, clientSecretSealed, tokenAuthMethod, idTokenAlgorithm } = checked;
    const where = { id, issuer, clientId, clientSecretSealed, tokenAuthMethod, idTokenAlgorithm };
    await this.update(found, { where });
  }
}

/** The configuration that a check depends on. */
type ProviderCheckConfig = Readonly<
  Pick<
    AuthProvider,
    "id" | "issuer" | "clientId" | "clientSecretSealed" | "tokenAuthMethod" | "idTokenAlgorithm"
  >
>;

export const defineModel = (sequelize: Sequelize): typeof AuthProvider =>
  class extends AuthProvider {}.init(
    {
      id: primaryKeyColumn(DataTypes.TEXT),
      kind: requiredColumn(DataTypes.TEXT),
      builtin: withDefault(DataTypes.BOOLEAN, false),
      name: requiredColumn(DataTypes.TEXT),
      icon: optionalColumn(DataTypes.TEXT),
      priority: withDefault(DataTypes.INTEGER, 0),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      issuer: optionalColumn(DataTypes.TEXT),
      clientId: optionalColumn(DataTypes.TEXT),
      clientSecretSealed: optionalColumn(DataTypes.TEXT),
      scopes: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      tokenAuthMethod: optionalColumn(DataTypes.TEXT),
      idTokenAlgorithm: optionalColumn(DataTypes.TEXT),
      healthStatus: optionalColumn(DataTypes.TEXT),
      healthDetail: optionalColumn(DataTypes.TEXT),
      healthAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "AuthProvider",
      tableName: "auth_providers",
      scopes: { enabled: { where: { enabled: true } } },
    },
  );
