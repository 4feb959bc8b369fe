import {
  changeMessageStyle,
  readMessageStyle,
  messageStyleFields,
} from "../../shared/survival/chat/message-style.ts";
import { defineRoute } from "../http/route.ts";

const common = { gate: "roles:admin", set: "core", tag: "Survival staff" } as const;

export const voiceRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalVoice:
   *       type: object
   *       description: The style in which the site's messages appear in the chat of the games.
   *       additionalProperties: false
   *       required: [name, title, username, message, format, iconSteamId, prefix, revision, updatedAt, updatedBy]
   *       properties:
   *         name: { type: string, example: Announcement, description: Name that the chat shows as the sender of the site's messages. }
   *         title:
   *           type: object
   *           description: Title that the chat shows before the sender's name.
   *           additionalProperties: false
   *           required: [text, color, size, hidden]
   *           properties:
   *             text: { type: string, example: Announcement }
   *             color: { type: string, example: '#ffaa55' }
   *             size: { type: integer, example: 15, description: Font size of the game's chat. }
   *             hidden: { type: boolean, description: Whether messages are shown without the title. }
   *         username:
   *           type: object
   *           additionalProperties: false
   *           required: [color, size]
   *           properties:
   *             color: { type: string, example: '#ffaa55' }
   *             size: { type: integer, example: 15 }
   *         message:
   *           type: object
   *           additionalProperties: false
   *           required: [color, size]
   *           properties:
   *             color: { type: string, example: '#ffffff' }
   *             size: { type: integer, example: 15 }
   *         format:
   *           type: object
   *           description: >-
   *             Templates of a message, in the chat (`chat`) and on the console (`console`).
   *           additionalProperties: false
   *           required: [chat, console]
   *           properties:
   *             chat: { type: string, example: '{Title}: {Message}' }
   *             console: { type: string, example: '{Title}: {Message}' }
   *         iconSteamId:
   *           type: string
   *           nullable: true
   *           example: '76561198000000001'
   *           description: >-
   *             SteamID64 of the account whose avatar the chat shows next to the site's messages.
   *             Null for the default icon.
   *         prefix: { type: string, nullable: true, example: Guildhall }
   *         revision: { $ref: '#/components/schemas/Revision' }
   *         updatedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the style was last changed. Null while the default values apply.
   *         updatedBy: { type: string, nullable: true, example: robin }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/voice",
    summary: "Get the chat style of the site",
    description:
      "Returns the style in which announcements and other messages of the site appear in the " +
      "chat of survival servers. Before the first change, returns the default values.",
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async (_input, context) => ({ voice: await readMessageStyle(context) }),
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/voice",
    summary: "Replace the chat style of the site",
    description:
      "Replaces the whole style: fields that the request omits receive their default values. The " +
      "service sends the style to all servers within seconds. Until the style is changed for the " +
      "first time, each server uses its own style. The characters `[ ] < >` are removed from " +
      "names, titles and the prefix. Each format must contain `{Message}`, and may contain " +
      "`{Title}`, `{Username}`, `{ID}`, `{Time}` and `{Date}`. The activity log records the " +
      "request as `survival.voice.changed`.",
    body: messageStyleFields,
    basedOn: {
      when: "optional",
      as: "hash",
      current: (_input, context) => readMessageStyle(context),
    },
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async ({ body, caller }, context) => ({
      voice: await changeMessageStyle(body, caller, context),
    }),
  }),
];
