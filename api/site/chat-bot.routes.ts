import Joi from "joi";

import type { ChatBot } from "../../models/site/chat-bot.ts";
import { type ChatBotChange, readChatBot, saveChatBot } from "../../shared/site/chat-bot.ts";
import { bearerTokenField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const common = { gate: "roles:admin", set: "core", tag: "Site" } as const;

/** Discord's ids exceed the precision of JSON numbers, so they are texts. */
const snowflakeField = Joi.string()
  .pattern(/^[1-9]\d{0,19}$/)
  .allow(null)
  .messages({ "string.pattern.base": "{{#label}} must be an id of Discord, in digits" });

export const chatBotRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/discord-bot/config",
    summary: "Retrieve the chat bot configuration",
    description:
      "Returns the configuration of the chat bot without the bot's token. `hasToken` says " +
      "whether a token is stored.",
    answers: { 200: "ChatBotConfig" },
    handle: async (_input, context) => viewChatBot(await readChatBot(context)),
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/discord-bot/config",
    summary: "Change the chat bot configuration",
    description:
      "Fields that the request does not contain keep their values, and null removes a value. An " +
      "empty `token` keeps the stored token. The service stores the configuration for the bot, " +
      "but does not call Discord itself.",
    confirms: true,
    body: Joi.object<ChatBotChange>({
      enabled: Joi.boolean(),
      guildId: snowflakeField,
      announceChannelId: snowflakeField,
      token: bearerTokenField.allow(null),
    }).example({
      enabled: true,
      guildId: "197038439483310086",
      announceChannelId: "613425648685547541",
    }),
    answers: { 200: "ChatBotConfig" },
    handle: async ({ body, caller }, context) =>
      viewChatBot(await saveChatBot(body, caller, context)),
  }),
];

/**
 * @openapi
 * components:
 *   schemas:
 *     ChatBotConfig:
 *       type: object
 *       additionalProperties: false
 *       required: [enabled, guildId, announceChannelId, hasToken, updatedAt, updatedBy]
 *       properties:
 *         enabled: { type: boolean }
 *         guildId: { type: string, nullable: true, example: '197038439483310086' }
 *         announceChannelId: { type: string, nullable: true, example: '613425648685547541' }
 *         hasToken: { type: boolean, description: Whether a token is stored. }
 *         updatedAt: { type: string, format: date-time, nullable: true, description: Time of the last change. Null if the configuration has never been changed. }
 *         updatedBy: { type: integer, nullable: true, description: Id of the administrator who made the last change. }
 */
const viewChatBot = (bot: ChatBot) => ({
  enabled: bot.enabled,
  guildId: bot.guildId,
  announceChannelId: bot.announceChannelId,
  hasToken: bot.tokenSealed !== null,
  updatedAt: bot.updatedAt,
  updatedBy: bot.updatedBy,
});
