import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import type { WebhookFault } from "./webhook.ts";

/**
 * `waiting`: sent at `nextAt`. `trying`: being sent; at `nextAt` its worker counts as dead, and another worker
 * sends it again.
 */
export type WebhookDeliveryState = "waiting" | "trying" | "delivered" | "failed";

/** A message to one webhook. The row is stored before the first attempt. */
export class WebhookDelivery extends Model<
  InferAttributes<WebhookDelivery>,
  InferCreationAttributes<WebhookDelivery>
> {
  declare id: CreationOptional<number>;
  declare webhookId: number;
  /** Id of the announced event (`Push`); null for a test message. */
  declare pushId: number | null;
  /** Id of the message for its receiver. All attempts send the same id. */
  declare messageId: CreationOptional<string>;
  declare stream: string;
  /** Contents of the body, as they were at the time of dispatch. */
  declare data: Record<string, unknown>;
  declare happenedAt: Date;
  declare state: CreationOptional<WebhookDeliveryState>;
  /** Number of started attempts. */
  declare attempts: CreationOptional<number>;
  /** Number of attempts since the delivery was created or last resent by staff. */
  declare tries: CreationOptional<number>;
  declare giveUpAt: Date;
  declare nextAt: CreationOptional<Date>;
  /** Status of the last answer. */
  declare code: number | null;
  declare error: WebhookFault | null;
  /** Beginning of the answer's body. */
  declare answer: string | null;
  declare createdAt: CreationOptional<Date>;
  declare deliveredAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "Push", as: "push", foreignKey: "pushId", onDelete: "CASCADE" },
  { owner: "Webhook", as: "webhook", foreignKey: "webhookId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof WebhookDelivery =>
  class extends WebhookDelivery {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      webhookId: requiredColumn(DataTypes.INTEGER),
      pushId: optionalColumn(DataTypes.BIGINT),
      messageId: uniqueColumn(withDefault(DataTypes.UUID, literal("gen_random_uuid()"))),
      stream: requiredColumn(DataTypes.TEXT),
      data: requiredColumn(DataTypes.JSONB),
      happenedAt: requiredColumn(DataTypes.DATE),
      state: withDefault(DataTypes.TEXT, "waiting"),
      attempts: withDefault(DataTypes.INTEGER, 0),
      tries: withDefault(DataTypes.INTEGER, 0),
      giveUpAt: requiredColumn(DataTypes.DATE),
      nextAt: clockTimeColumn(),
      code: optionalColumn(DataTypes.INTEGER),
      error: optionalColumn(DataTypes.TEXT),
      answer: optionalColumn(DataTypes.TEXT),
      createdAt: clockTimeColumn(),
      deliveredAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "WebhookDelivery",
      tableName: "webhook_deliveries",
      indexes: [{ unique: true, fields: ["webhook_id", "push_id"] }],
    },
  );
