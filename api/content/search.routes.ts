import Joi from "joi";

import { audiencesOf } from "../../shared/content/audiences.ts";
import { previewMarkdown } from "../../shared/content/preview.ts";
import { type ContentQuery, searchContent } from "../../shared/content/search/search.ts";
import { limits } from "../../shared/limits.ts";
import { validated } from "../http/etag.ts";
import { proseField } from "../http/prose.ts";
import { route } from "../http/route.ts";
import { bodyField, pagingFields } from "./fields.ts";

export const searchRoutes = [
  route({
    ...validated,
    method: "get",
    path: "/api/v1/public/search",
    gate: "public",
    set: "additive",
    tag: "Content",
    summary: "Search posts, wiki and pages",
    description:
      "Finds texts that hold every word, whatever its case and accents, and the last one also as " +
      "a beginning. Where nothing does, words that are like those given are looked for.",
    limiters: ["search"],
    keepMs: 0,
    query: Joi.object<ContentQuery>({
      q: proseField(limits.contentTerm).required().description("Words."),
      type: Joi.string().valid("post", "wiki", "page").empty("").description("Only these."),
      ...pagingFields,
    }),
    answers: { 200: "SearchPage", 304: "" },
    handle: ({ query, caller }, context) => searchContent(query, audiencesOf(caller), context),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/content/preview",
    gate: "roles:admin,editor",
    set: "additive",
    tag: "Content",
    summary: "Render markdown as it will be shown, and store nothing",
    body: Joi.object<{ body: string }, true>({ body: bodyField.required() }).example({
      body: "Ask for the way to the [[Bank]].",
    }),
    answers: { 200: "Preview" },
    handle: ({ body: { body } }, context) => previewMarkdown(body, context),
  }),
];
