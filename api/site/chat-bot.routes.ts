import Joi from "joi";

import type { ChatBot } from "../../models/site/chat-bot.ts";
import { type ChatBotChange, readChatBot, saveChatBot } from "../../shared/site/chat-bot.ts";
import { bearerTokenField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const common = { gate: "roles:admin", set: "core", tag: "Site" } as const;

/** Discord's ids are numbers that JSON's cannot hold, so they are texts. */
const snowflakeField = Joi.string()
  .pattern(/^[1-9]\d{0,19}$/)
  .allow(null)
  .messages({ "string.pattern.base": "{{#label}} must be an id of Discord, in digits" });

export const chatBotRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/discord-bot/config",
    summary: "How the chat bot is set up",
    description: "The token never leaves.",
    answers: { 200: "ChatBotConfig" },
    handle: async (_input, context) => viewChatBot(await readChatBot(context)),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/discord-bot/config",
    summary: "Change how the chat bot is set up",
    description:
      "Absent fields stay and null clears one; a blank token keeps the stored one. It is kept for " +
      "the bot: the service itself calls nobody with it.",
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
 *         hasToken: { type: boolean }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: integer, nullable: true, description: "The administrator's user id." }
 */
const viewChatBot = (bot: ChatBot) => ({
  enabled: bot.enabled,
  guildId: bot.guildId,
  announceChannelId: bot.announceChannelId,
  hasToken: bot.tokenSealed !== null,
  updatedAt: bot.updatedAt,
  updatedBy: bot.updatedBy,
});
