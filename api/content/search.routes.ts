import Joi from "joi";

import { audiencesOf } from "../../shared/content/audiences.ts";
import { previewMarkdown } from "../../shared/content/preview.ts";
import { type ContentQuery, searchContent } from "../../shared/content/search/search.ts";
import { limits } from "../../shared/platform/limits.ts";
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
      "Returns one page of hits: the posts, wiki pages and pages that contain every word of `q` " +
      "and that the caller may see. Case and accents are ignored, and the last word may be " +
      "incomplete. If there are no hits, the response contains texts with similar words instead. " +
      "The first 200 hits are sorted by `score`, highest first. All further hits are sorted by " +
      "date, newest first. 429 `rate_limited` after too many searches from the caller's IP " +
      "address.",
    limiters: ["search"],
    keepMs: 0,
    query: Joi.object<ContentQuery>({
      q: proseField(limits.contentTerm).required().description("Words to search for."),
      type: Joi.string()
        .valid("post", "wiki", "page")
        .empty("")
        .description(
          "Returns only hits of this type. If absent, the search covers posts, wiki pages and " +
            "pages.",
        ),
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
    summary: "Preview rendered Markdown",
    description:
      "Renders the text as the site would show it after it is saved, including links to wiki " +
      "pages. Stores nothing. In the response, `removed` lists the parts of the text that the " +
      "site does not show as they were written.",
    body: Joi.object<{ body: string }, true>({ body: bodyField.required() }).example({
      body: "Ask for the way to the [[Bank]].",
    }),
    answers: { 200: "Preview" },
    handle: ({ body: { body } }, context) => previewMarkdown(body, context),
  }),
];
