import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identityColumn, requiredColumn, transactionTimeColumn } from "../columns.ts";
import type { AuthProvider } from "./auth-provider.ts";

/** A user's account at a sign-in provider, identified there by issuer and subject. */
export class Identity extends Model<InferAttributes<Identity>, InferCreationAttributes<Identity>> {
  declare id: CreationOptional<number>;
  declare userId: number;
  declare providerId: string;
  /** Name of the provider at the time of linking. */
  declare providerName: string;
  declare issuer: string;
  declare subject: string;
  declare linkedAt: CreationOptional<Date>;
  declare provider?: NonAttribute<AuthProvider>;
}

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

export const defineModel = (sequelize: Sequelize): typeof Identity =>
  class extends Identity {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      providerId: requiredColumn(DataTypes.TEXT),
      providerName: requiredColumn(DataTypes.TEXT),
      issuer: requiredColumn(DataTypes.TEXT),
      subject: requiredColumn(DataTypes.TEXT),
      linkedAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "Identity",
      tableName: "identities",
      indexes: [
        { unique: true, fields: ["provider_id", "issuer", "subject"] },
        { unique: true, fields: ["user_id", "provider_id"] },
      ],
    },
  );
