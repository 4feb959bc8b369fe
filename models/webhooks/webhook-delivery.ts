import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required, unique, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";
import type { WebhookFault } from "./webhook.ts";

/**
 * `waiting` is to be sent at `nextAt`. `trying` is being sent: at `nextAt` its worker counts as dead,
 * and it is sent again.
 */
export type WebhookDeliveryState = "waiting" | "trying" | "delivered" | "failed";

/** One message on its way to one webhook. Its row is there before the first try. */
export class WebhookDelivery extends Model<
  InferAttributes<WebhookDelivery>,
  InferCreationAttributes<WebhookDelivery>
> {
  declare id: CreationOptional<number>;
  declare webhookId: number;
  /** What it tells of; null for one that tests the webhook. */
  declare pushId: number | null;
  /** By which its receiver knows it, however often it is sent. */
  declare messageId: CreationOptional<string>;
  declare stream: string;
  /** What its body holds, as it was known when it was dispatched. */
  declare data: Record<string, unknown>;
  declare happenedAt: Date;
  declare state: CreationOptional<WebhookDeliveryState>;
  /** Tries that have begun. */
  declare attempts: CreationOptional<number>;
  /** Those since it was sent first, or again. */
  declare tries: CreationOptional<number>;
  declare giveUpAt: Date;
  declare nextAt: CreationOptional<Date>;
  /** What the last try was answered. */
  declare code: number | null;
  declare error: WebhookFault | null;
  /** The beginning of that answer's body. */
  declare answer: string | null;
  declare createdAt: CreationOptional<Date>;
  declare deliveredAt: Date | null;
}

export const ties: readonly Tie[] = [
  { owner: "Push", as: "push", foreignKey: "pushId", onDelete: "CASCADE" },
  { owner: "Webhook", as: "webhook", foreignKey: "webhookId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof WebhookDelivery =>
  class extends WebhookDelivery {}.init(
    {
      id: identity(DataTypes.BIGINT),
      webhookId: required(DataTypes.INTEGER),
      pushId: optional(DataTypes.BIGINT),
      messageId: unique(withDefault(DataTypes.UUID, literal("gen_random_uuid()"))),
      stream: required(DataTypes.TEXT),
      data: required(DataTypes.JSONB),
      happenedAt: required(DataTypes.DATE),
      state: withDefault(DataTypes.TEXT, "waiting"),
      attempts: withDefault(DataTypes.INTEGER, 0),
      tries: withDefault(DataTypes.INTEGER, 0),
      giveUpAt: required(DataTypes.DATE),
      nextAt: clockTime(),
      code: optional(DataTypes.INTEGER),
      error: optional(DataTypes.TEXT),
      answer: optional(DataTypes.TEXT),
      createdAt: clockTime(),
      deliveredAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "WebhookDelivery",
      tableName: "webhook_deliveries",
      indexes: [{ unique: true, fields: ["webhook_id", "push_id"] }],
    },
  );
