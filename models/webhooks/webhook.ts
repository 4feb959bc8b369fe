import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";

/** `standard`: signed messages with the event; `discord`: messages for a Discord channel. */
export type WebhookFormat = "standard" | "discord";

/** Why the last attempt failed. */
export type WebhookFault =
  | "gone"
  | "refused"
  | "limited"
  | "unavailable"
  | "timeout"
  | "unreachable"
  | "address"
  | "certificate"
  | "redirect"
  | "too_large"
  | "expired"
  | "unreadable";

/** Why the site disabled the webhook: its receiver is gone, or has failed for too long. */
export type WebhookDisabledReason = "gone" | "failing";

export class Webhook extends Model<InferAttributes<Webhook>, InferCreationAttributes<Webhook>> {
  declare id: CreationOptional<number>;
  declare format: WebhookFormat;
  /** The address without its secrets. */
  declare shownUrl: string;
  declare urlSealed: string;
  declare origin: string;
  declare streams: string[];
  declare enabled: CreationOptional<boolean>;
  /** Null if messages are not signed. */
  declare secretSealed: string | null;
  /** The former secret, encrypted. It also signs messages until `formerSecretUntil`. */
  declare formerSecretSealed: string | null;
  declare formerSecretUntil: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare lastSuccessAt: Date | null;
  /** Null if the last attempt succeeded. */
  declare lastError: WebhookFault | null;
  /** Time of the first failed attempt since the last successful delivery. */
  declare failingSince: Date | null;
  declare disabledReason: WebhookDisabledReason | null;
  /** The receiver asked not to get messages before this time. */
  declare heldUntil: Date | null;
}

export const defineModel = (sequelize: Sequelize): typeof Webhook =>
  class extends Webhook {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      format: requiredColumn(DataTypes.TEXT),
      shownUrl: requiredColumn(DataTypes.TEXT),
      urlSealed: requiredColumn(DataTypes.TEXT),
      origin: requiredColumn(DataTypes.TEXT),
      streams: requiredColumn(DataTypes.ARRAY(DataTypes.TEXT)),
      enabled: withDefault(DataTypes.BOOLEAN, true),
      secretSealed: optionalColumn(DataTypes.TEXT),
      formerSecretSealed: optionalColumn(DataTypes.TEXT),
      formerSecretUntil: optionalColumn(DataTypes.DATE),
      createdAt: transactionTimeColumn(),
      lastSuccessAt: optionalColumn(DataTypes.DATE),
      lastError: optionalColumn(DataTypes.TEXT),
      failingSince: optionalColumn(DataTypes.DATE),
      disabledReason: optionalColumn(DataTypes.TEXT),
      heldUntil: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "Webhook", tableName: "webhooks" },
  );
