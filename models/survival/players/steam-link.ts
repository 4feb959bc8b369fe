import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../../columns.ts";
import { insertRowOnce } from "../../queries/insert-once.ts";
import type { SurvivalServer } from "../survival-server.ts";

/** A Steam account that a user has proved to own. */
export class SteamLink extends Model<
  InferAttributes<SteamLink>,
  InferCreationAttributes<SteamLink>
> {
  declare steamId: string;
  declare userId: number;
  declare name: string;
  /** Server whose code the player used. */
  declare serverId: number | null;
  declare linkedAt: CreationOptional<Date>;
  declare server?: NonAttribute<SurvivalServer | null>;

  /** Links an account, or updates the user's own link. @returns null if the account is linked to another user */
  static async linkAccount(
    link: NewSteamLink,
    transaction: Transaction,
  ): Promise<SteamLinkResult | null> {
    const made = await insertRowOnce(this, link, transaction);
    if (made) return { linkedAt: made.linkedAt, isNew: true };
    const { steamId, userId, name, serverId } = link;
    const own = { where: { steamId, userId }, returning: true, transaction } as const;
    const [, [kept]] = await this.update({ name, serverId }, own);
    return kept ? { linkedAt: kept.linkedAt, isNew: false } : null;
  }
}

type NewSteamLink = Pick<SteamLink, "steamId" | "userId" | "name" | "serverId">;

export interface SteamLinkResult extends Readonly<Pick<SteamLink, "linkedAt">> {
  /** True if the account was not linked before. */
  readonly isNew: boolean;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "SET NULL" },
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SteamLink =>
  class extends SteamLink {}.init(
    {
      steamId: primaryKeyColumn(DataTypes.TEXT),
      userId: requiredColumn(DataTypes.INTEGER),
      name: requiredColumn(DataTypes.TEXT),
      serverId: optionalColumn(DataTypes.INTEGER),
      linkedAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "SteamLink", tableName: "steam_links" },
  );
