import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, transactionTime, withDefault } from "../columns.ts";

/** Whether messages are signed and hold the event, or are what a channel of Discord shows. */
export type WebhookFormat = "standard" | "discord";

/** Why the last try failed. */
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

/** Why the site itself switched it off: its receiver said so, or failed for too long. */
export type WebhookEnd = "gone" | "failing";

/** Where the site posts to when something happens. */
export class Webhook extends Model<InferAttributes<Webhook>, InferCreationAttributes<Webhook>> {
  declare id: CreationOptional<number>;
  declare format: WebhookFormat;
  /** The address without what is secret in it. */
  declare shownUrl: string;
  declare urlSealed: string;
  declare origin: string;
  declare streams: string[];
  declare enabled: CreationOptional<boolean>;
  /** Null where messages are not signed. */
  declare secretSealed: string | null;
  /** Signs beside the secret until `formerSecretUntil`. */
  declare formerSecretSealed: string | null;
  declare formerSecretUntil: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare lastSuccessAt: Date | null;
  /** Null when the last try succeeded. */
  declare lastError: WebhookFault | null;
  /** Since when no delivery has arrived that was tried to its end. */
  declare failingSince: Date | null;
  declare disabledReason: WebhookEnd | null;
  /** The receiver asked to be left alone until then. */
  declare heldUntil: Date | null;
}

export const define = (sequelize: Sequelize): typeof Webhook =>
  class extends Webhook {}.init(
    {
      id: identity(DataTypes.INTEGER),
      format: required(DataTypes.TEXT),
      shownUrl: required(DataTypes.TEXT),
      urlSealed: required(DataTypes.TEXT),
      origin: required(DataTypes.TEXT),
      streams: required(DataTypes.ARRAY(DataTypes.TEXT)),
      enabled: withDefault(DataTypes.BOOLEAN, true),
      secretSealed: optional(DataTypes.TEXT),
      formerSecretSealed: optional(DataTypes.TEXT),
      formerSecretUntil: optional(DataTypes.DATE),
      createdAt: transactionTime(),
      lastSuccessAt: optional(DataTypes.DATE),
      lastError: optional(DataTypes.TEXT),
      failingSince: optional(DataTypes.DATE),
      disabledReason: optional(DataTypes.TEXT),
      heldUntil: optional(DataTypes.DATE),
    },
    { sequelize, modelName: "Webhook", tableName: "webhooks" },
  );
