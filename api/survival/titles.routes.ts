import Joi from "joi";

import { titleModes } from "../../models/survival/survival-server.ts";
import { missing } from "../../shared/errors.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import {
  changeTitles,
  readTitles,
  type TitlesChange,
} from "../../shared/survival/titles/rules/server-titles.ts";
import { readCategories, writeTitle } from "../../shared/survival/titles/rules/title-texts.ts";
import { isStat, statNames } from "../../shared/survival/titles/title-categories.ts";
import { changeVoice, readVoice } from "../../shared/survival/voice/change-voice.ts";
import { voiceFields } from "../../shared/survival/voice/voice.ts";
import { nameText } from "../../shared/visible-text.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";

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
    .description("Number of players who hold the title."),
  text: nameText(32)
    .allow("", null)
    .description("Text of the title. If omitted, empty or null, the title of the stat applies."),
  color: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/)
    .messages({ "string.pattern.base": "{{#label}} must be a color such as #ff5533" })
    .allow(null)
    .example("#ff5533"),
  enabled: Joi.boolean().default(true),
});

/** How the game speaks of players and of the site. */
export const titlesRoutes = [
  route({
    ...forAdmins,
    method: "get",
    path: "/api/v1/admin/survival/title-categories",
    summary: "List the stats and their chat titles",
    description:
      "Returns every stat by which players can be ranked, with the chat title of the stat. This " +
      "title applies to all title rules of the stat that have no text of their own.",
    answers: {
      200: { enveloped: "categories", shape: { listOf: "SurvivalTitleCategory" } },
    },
    handle: async (_input, context) => ({ categories: await readCategories(context) }),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/title-categories/:stat",
    summary: "Change the chat title of a stat",
    description:
      "Sets the title for all title rules of the stat that have no text of their own, and syncs " +
      "the servers with such rules within seconds. An empty text restores the default title. The " +
      "characters `[ ] < >` are removed. Recorded in the activity log as " +
      "`survival.titles.category_changed`. 404 for an unknown stat.",
    params: Joi.object<{ stat: string }, true>({
      stat: Joi.string().max(64).required().description("Name of the stat, from the list."),
    }),
    body: Joi.object<{ title: string }>({
      title: nameText(32).allow("").required().example("The Red Hand"),
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
      throw missing("Unknown category");
    },
    handle: async ({ found, body, caller }, context) => ({
      category: await writeTitle(found, body.title, caller, context),
    }),
  }),
  route({
    ...common,
    gate: "roles:admin,moderator",
    set: "additive",
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/titles",
    summary: "Get the chat titles of a survival server",
    description:
      "Returns the title rules of a server, the players who hold a title in the current world, " +
      "and the state of the sync to the game. 404 for an unknown server.",
    params: byId,
    answers: { 200: "SurvivalTitlesHeld", 404: "Error" },
    handle: ({ params }, context) => readTitles(params.id, context),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/servers/:id/titles",
    summary: "Replace the chat title rules of a survival server",
    description:
      "Replaces all rules. A player's titles are in the order of the rules. Among players with " +
      "equal values, the player who reached the value first gets the title; a player with the " +
      "value 0 gets none. The server is synced within seconds, and again when the holders " +
      "change, at most once a minute. Recorded in the activity log as `survival.titles.changed`. " +
      "400 if `max` is missing with `upTo` or present with another mode.",
    params: byId,
    body: Joi.object<TitlesChange>({
      mode: Joi.string()
        .valid(...titleModes)
        .required()
        .description(
          "How many of a player's titles the game shows. `first`: one. `all`: all. `upTo`: at " +
            "most `max`.",
        ),
      max: Joi.number()
        .integer()
        .min(1)
        .max(10)
        .allow(null)
        .description("Required with `upTo`, not allowed with other modes."),
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
  route({
    ...forAdmins,
    method: "get",
    path: "/api/v1/admin/survival/voice",
    summary: "Get the chat style of the site",
    description:
      "Returns the style in which announcements and other messages of the site appear on " +
      "survival servers. Before the first change, the defaults are returned.",
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async (_input, context) => ({ voice: await readVoice(context) }),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/voice",
    summary: "Replace the chat style of the site",
    description:
      "Replaces the whole style: omitted fields take their defaults. All servers are synced " +
      "within seconds. Until the first change, each server keeps its own style. The characters " +
      "`[ ] < >` are removed from names, titles and the prefix. A format must contain " +
      "`{Message}` and may contain `{Title}`, `{Username}`, `{ID}`, `{Time}` and `{Date}`. " +
      "Recorded in the activity log as `survival.voice.changed`.",
    body: voiceFields,
    basedOn: {
      when: "optional",
      as: "hash",
      current: (_input, context) => readVoice(context),
    },
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async ({ body, caller }, context) => ({
      voice: await changeVoice(body, caller, context),
    }),
  }),
];
