import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../../columns.ts";

export const participationMethods = ["zone", "command", "damage", "kill"] as const;

export type ParticipationMethod = (typeof participationMethods)[number];

/** A participant, as counted by the game. */
export interface Participant {
  readonly steamId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The unit depends on the method of counting: for damage, it is hit points. */
  readonly score: number;
}

/** A game's count of the participants of an event on a survival server. */
export class SurvivalParticipation extends Model<
  InferAttributes<SurvivalParticipation>,
  InferCreationAttributes<SurvivalParticipation>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare method: ParticipationMethod;
  declare zoneId: string | null;
  /** Profile of the NPCs that players must damage or kill to take part. */
  declare profile: string | null;
  declare state: CreationOptional<"opening" | "open" | "collected" | "expired">;
  declare durationSec: number;
  declare openedAt: CreationOptional<Date>;
  /** When the game stops counting, unless the site extends the count. */
  declare leaseUntil: Date;
  declare closedAt: Date | null;
  declare members: readonly Participant[];
  declare runId: number | null;
  declare stepId: number | null;
  /** Key of the step that starts the count. All attempts of the step share one count. */
  declare stepKey: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalParticipation =>
  class extends SurvivalParticipation {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      method: requiredColumn(DataTypes.TEXT),
      zoneId: optionalColumn(DataTypes.TEXT),
      profile: optionalColumn(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "opening"),
      durationSec: requiredColumn(DataTypes.INTEGER),
      openedAt: clockTimeColumn(),
      leaseUntil: requiredColumn(DataTypes.DATE),
      closedAt: optionalColumn(DataTypes.DATE),
      members: requiredColumn(DataTypes.JSONB),
      runId: optionalColumn(DataTypes.INTEGER),
      stepId: optionalColumn(DataTypes.INTEGER),
      stepKey: uniqueColumn(optionalColumn(DataTypes.TEXT)),
    },
    { sequelize, modelName: "SurvivalParticipation", tableName: "survival_participations" },
  );
