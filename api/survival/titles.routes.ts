import Joi from "joi";

import { titleModes } from "../../models/survival/survival-server.ts";
import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { isStat, statNames } from "../../shared/survival/titles/title-categories.ts";
import {
  changeTitles,
  readTitles,
  type TitlesChange,
  readCategories,
  writeTitle,
} from "../../shared/survival/titles/title-rules.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const common = { tag: "Survival staff" } as const;
const forAdmins = { ...common, gate: "roles:admin", set: "core" } as const;

const ruleField = Joi.object({
  stat: Joi.string()
    .valid(...statNames)
    .required(),
  topN: Joi.number()
    .integer()
    .min(1)
    .max(10)
    .required()
    .description("Number of players who hold the title: the best players in the stat."),
  text: nameTextField(32)
    .allow("", null)
    .description(
      "Text of the title. If absent, empty or null, the chat title of the stat applies.",
    ),
  color: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/)
    .messages({ "string.pattern.base": "{{#label}} must be a color such as #ff5533" })
    .allow(null)
    .example("#ff5533"),
  enabled: Joi.boolean().default(true),
});

export const titlesRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalTitleCategory:
   *       type: object
   *       additionalProperties: false
   *       required: [stat, label, unit, aggregate, ranked, defaultTitle, title, customised, revision, updatedAt, updatedBy]
   *       properties:
   *         stat: { type: string, example: playersKilled }
   *         label: { type: string, example: Players killed }
   *         unit: { type: string, enum: [count, metres, seconds] }
   *         aggregate:
   *           type: string
   *           enum: [sum, max]
   *           description: >-
   *             How the values of several worlds are combined: as their sum (`sum`) or their maximum
   *             (`max`).
   *         ranked:
   *           type: boolean
   *           description: >
   *             Whether the stat is one of the ranked stats: false for `playtime`, true for all
   *             other stats. Every stat has a leaderboard, even `playtime`.
   *         defaultTitle: { type: string, example: Murderer }
   *         title: { type: string, example: The Red Hand, description: Chat title that applies to the stat now. }
   *         customised: { type: boolean, description: 'Whether staff have set this title. If false, the title is the default title.' }
   *         revision: { $ref: '#/components/schemas/Revision' }
   *         updatedAt: { type: string, format: date-time, nullable: true }
   *         updatedBy: { type: string, nullable: true, example: robin }
   */
  defineRoute({
    ...forAdmins,
    method: "get",
    path: "/api/v1/admin/survival/title-categories",
    summary: "List the stats and their chat titles",
    description:
      "Returns every stat by which players can be ranked, with its chat title. The title of a " +
      "stat applies to all title rules for this stat that have no `text`.",
    answers: {
      200: { enveloped: "categories", shape: { listOf: "SurvivalTitleCategory" } },
    },
    handle: async (_input, context) => ({ categories: await readCategories(context) }),
  }),
  defineRoute({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/title-categories/:stat",
    summary: "Change the chat title of a stat",
    description:
      "Sets the chat title that applies to all title rules for the stat that have no `text`. The " +
      "service sends the change to the servers with such rules within seconds. An empty `title` " +
      "restores the default title. The characters `[ ] < >` are removed from the title. The " +
      "activity log records the request as `survival.titles.category_changed`. 404 `not_found` " +
      "if the stat is unknown.",
    params: Joi.object<{ stat: string }, true>({
      stat: Joi.string()
        .max(64)
        .required()
        .description("Name of the stat, as `GET /admin/survival/title-categories` returns it."),
    }),
    body: Joi.object<{ title: string }>({
      title: nameTextField(32).allow("").required().example("The Red Hand"),
    }),
    basedOn: {
      when: "optional",
      as: "hash",
      current: async ({ params: { stat } }, context) =>
        (await readCategories(context)).find((category) => category.stat === stat) ?? null,
    },
    answers: { 200: { enveloped: "category", shape: "SurvivalTitleCategory" }, 404: "Error" },
    find: ({ params: { stat } }) => {
      if (isStat(stat)) return Promise.resolve(stat);
      throw notFoundError("Unknown category");
    },
    handle: async ({ found, body, caller }, context) => ({
      category: await writeTitle(found, body.title, caller, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalTitlesHeld:
   *       type: object
   *       additionalProperties: false
   *       required: [mode, max, rules, revision, push, holders]
   *       properties:
   *         mode:
   *           type: string
   *           enum: [first, all, upTo]
   *           description: >-
   *             How many of a player's titles the game shows. `first`: only the first title. `all`:
   *             all titles. `upTo`: at most `max` titles.
   *         max:
   *           type: integer
   *           nullable: true
   *           example: 2
   *           description: >-
   *             Maximum number of titles that the game shows. Null unless `mode` is `upTo`.
   *         rules: { type: array, items: { $ref: '#/components/schemas/SurvivalTitleRule' } }
   *         revision: { $ref: '#/components/schemas/Revision' }
   *         push: { $ref: '#/components/schemas/SurvivalTitlesPush' }
   *         holders:
   *           type: array
   *           description: >-
   *             Players who hold a title in the current world. For each player, the list contains the
   *             titles that the game shows according to `mode`.
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [steamId, titles]
   *             properties:
   *               steamId: { type: string, example: '76561198000000001' }
   *               titles:
   *                 type: array
   *                 items:
   *                   type: object
   *                   additionalProperties: false
   *                   required: [text, color, stat, rank]
   *                   properties:
   *                     text: { type: string, example: Murderer }
   *                     color: { type: string, nullable: true, example: '#ff5533' }
   *                     stat: { type: string, example: playersKilled }
   *                     rank:
   *                       type: integer
   *                       description: >-
   *                         Rank of the player in the stat. Players with equal values share a rank.
   *                       example: 1
   *     SurvivalTitleRule:
   *       type: object
   *       additionalProperties: false
   *       required: [id, position, stat, topN, text, color, enabled]
   *       properties:
   *         id: { type: integer, example: 12 }
   *         position:
   *           type: integer
   *           example: 1
   *           description: Position of the rule in the list of rules, starting at 1.
   *         stat: { type: string, example: playersKilled }
   *         topN: { type: integer, example: 3, description: 'Number of players who hold the title: the best players in the stat.' }
   *         text:
   *           type: string
   *           nullable: true
   *           description: Text of the title. If null, the chat title of the stat applies.
   *         color: { type: string, nullable: true, example: '#ff5533' }
   *         enabled: { type: boolean }
   *     SurvivalTitlesPush:
   *       nullable: true
   *       type: object
   *       additionalProperties: false
   *       description: >-
   *         State of the sync of chat titles to the server. Null if a sync has never been due.
   *       required: [state, at, error]
   *       properties:
   *         state:
   *           type: string
   *           enum: [pending, pushed, failed, offline, unsupported]
   *           description: >-
   *             State of the sync. `pending`: a sync is due. `pushed`: the server has the current
   *             titles. `failed`: the last sync failed and will be retried. `offline`: the server
   *             cannot be reached. `unsupported`: the server's plugin cannot show titles.
   *         at:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the last sync to the server began.
   *         error:
   *           type: string
   *           nullable: true
   *           example: LIMIT
   *           description: Why the last sync failed. Null unless the state is `failed`.
   */
  defineRoute({
    ...common,
    gate: "roles:admin,moderator",
    set: "additive",
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/titles",
    summary: "Get the chat titles of a survival server",
    description:
      "Returns the title rules of the server, the players who hold a title in the current world, " +
      "and whether the game server has the current titles. 404 `not_found` if the server is " +
      "unknown.",
    params: rowIdParams,
    answers: { 200: "SurvivalTitlesHeld", 404: "Error" },
    handle: ({ params }, context) => readTitles(params.id, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalTitles:
   *       type: object
   *       additionalProperties: false
   *       required: [mode, max, rules, revision, push]
   *       properties:
   *         mode:
   *           type: string
   *           enum: [first, all, upTo]
   *           description: >-
   *             How many of a player's titles the game shows. `first`: only the first title. `all`:
   *             all titles. `upTo`: at most `max` titles.
   *         max:
   *           type: integer
   *           nullable: true
   *           example: 2
   *           description: >-
   *             Maximum number of titles that the game shows. Null unless `mode` is `upTo`.
   *         rules: { type: array, items: { $ref: '#/components/schemas/SurvivalTitleRule' } }
   *         revision: { $ref: '#/components/schemas/Revision' }
   *         push: { $ref: '#/components/schemas/SurvivalTitlesPush' }
   */
  defineRoute({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/servers/:id/titles",
    summary: "Replace the chat title rules of a survival server",
    description:
      "Replaces all title rules of the server. If a player holds several titles, they are in the " +
      "order of the rules. Of several players with the same value, the player who reached the " +
      "value first holds the title. A player whose value is 0 never holds a title. The service " +
      "sends the change to the server within seconds. Whenever the holders of the titles change, " +
      "the service sends the titles again, at most once a minute. The activity log records the " +
      "request as `survival.titles.changed`. 400 if `max` is missing with the mode `upTo`, or " +
      "present with another mode.",
    params: rowIdParams,
    body: Joi.object<TitlesChange>({
      mode: Joi.string()
        .valid(...titleModes)
        .required()
        .description(
          "How many of a player's titles the game shows. `first`: only the first title. `all`: " +
            "all titles. `upTo`: at most `max` titles.",
        ),
      max: Joi.number()
        .integer()
        .min(1)
        .max(10)
        .allow(null)
        .description(
          "Maximum number of titles that the game shows. Required with the mode `upTo`, not " +
            "allowed with other modes.",
        ),
      rules: Joi.array().items(ruleField).max(48).required(),
    }).example({
      mode: "upTo",
      max: 2,
      rules: [{ stat: "playersKilled", topN: 3, color: "#ff5533" }],
    }),
    basedOn: {
      when: "optional",
      as: "hash",
      current: ({ params: { id } }, context) => readTitles(id, context),
    },
    answers: { 200: "SurvivalTitles", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ params, body, caller }, context) => {
      const { mode, max, rules, revision, push } = await changeTitles(
        params.id,
        body,
        caller,
        context,
      );
      return { mode, max, rules, revision, push };
    },
  }),
];
