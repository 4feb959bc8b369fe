import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { identityColumn, optionalColumn, requiredColumn, withDefault } from "../../columns.ts";
import type { SurvivalServer } from "../survival-server.ts";
import type { SurvivalClanMember } from "./survival-clan-member.ts";

/** A clan of a survival server, identified by server, id and creation time. */
export class SurvivalClan extends Model<
  InferAttributes<SurvivalClan>,
  InferCreationAttributes<SurvivalClan>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare clanId: string;
  /** A 64-bit number of the game, in an unknown unit. */
  declare created: string;
  declare name: string;
  /** Alpha and color in one signed number, as in the game. */
  declare color: number | null;
  declare score: string | null;
  /** Place on the last leaderboard that contained the clan. */
  declare rank: number | null;
  declare memberCount: CreationOptional<number>;
  declare motd: string | null;
  /** Time of the clan's last roster. Before the first roster, the members are unknown. */
  declare rosterAt: Date | null;
  declare firstSeenAt: Date;
  declare lastSeenAt: Date;
  declare disbandedAt: Date | null;
  declare members?: NonAttribute<SurvivalClanMember[]>;
  declare server?: NonAttribute<SurvivalServer>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalClan =>
  class extends SurvivalClan {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      clanId: requiredColumn(DataTypes.TEXT),
      created: requiredColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      color: optionalColumn(DataTypes.INTEGER),
      score: optionalColumn(DataTypes.TEXT),
      rank: optionalColumn(DataTypes.INTEGER),
      memberCount: withDefault(DataTypes.INTEGER, 0),
      motd: optionalColumn(DataTypes.TEXT),
      rosterAt: optionalColumn(DataTypes.DATE),
      firstSeenAt: requiredColumn(DataTypes.DATE),
      lastSeenAt: requiredColumn(DataTypes.DATE),
      disbandedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "SurvivalClan",
      tableName: "survival_clans",
      indexes: [{ unique: true, fields: ["server_id", "clan_id", "created"] }],
    },
  );
