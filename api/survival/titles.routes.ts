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
  topN: Joi.number().integer().min(1).max(10).required().description("How many hold the title."),
  text: nameText(32)
    .allow("", null)
    .description("Left out or empty for the title of the category."),
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
    summary: "What players are ranked by, and the title of the first",
    answers: {
      200: { enveloped: "categories", shape: { listOf: "SurvivalTitleCategory" } },
    },
    handle: async (_input, context) => ({ categories: await readCategories(context) }),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/title-categories/:stat",
    summary: "Write the title of a category",
    description:
      "For every server whose rules name none of their own. An empty text brings the default back; " +
      "signs of markup (`[ ] < >`) are left out.",
    params: Joi.object<{ stat: string }, true>({
      stat: Joi.string().max(64).required().description("As the list has it."),
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
    summary: "The title rules of a survival server, and who holds a title",
    params: byId,
    answers: { 200: "SurvivalTitlesHeld", 404: "Error" },
    handle: ({ params }, context) => readTitles(params.id, context),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/servers/:id/titles",
    summary: "Change the title rules of a survival server",
    description:
      "The rules are written anew, in their order. Of equals whoever came first holds the title; zero " +
      "holds none. The server is told in a few seconds, and again when what players do changes who " +
      "holds one, at most once a minute.",
    params: byId,
    body: Joi.object<TitlesChange>({
      mode: Joi.string()
        .valid(...titleModes)
        .required(),
      max: Joi.number().integer().min(1).max(10).allow(null).description("With `upTo` alone."),
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
    summary: "In which style the site speaks on survival servers",
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async (_input, context) => ({ voice: await readVoice(context) }),
  }),
  route({
    ...forAdmins,
    method: "put",
    path: "/api/v1/admin/survival/voice",
    summary: "Change the style in which the site speaks",
    description:
      "It is written whole: what is left out takes the default. Every server is told in a few " +
      "seconds; until the first change each keeps its own. Signs of markup (`[ ] < >`) are left out of " +
      "names; a format may hold `{Title}`, `{Username}`, `{Message}`, `{ID}`, `{Time}` and `{Date}`.",
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
