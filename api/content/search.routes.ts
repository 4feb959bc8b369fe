import Joi from "joi";

import { audiencesOf } from "../../shared/content/pages.ts";
import { previewMarkdown } from "../../shared/content/render-context.ts";
import { type ContentQuery, searchContent } from "../../shared/content/search/search.ts";
import { limits } from "../../shared/platform/limits.ts";
import { validatorRouteOptions } from "../http/etag.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { bodyField, pagingFields } from "./fields.ts";

export const searchRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SearchPage:
   *       type: object
   *       additionalProperties: false
   *       required: [hits, total]
   *       properties:
   *         hits: { type: array, items: { $ref: '#/components/schemas/SearchHit' } }
   *         total: { type: integer, description: Number of hits on all pages of the result. }
   *     SearchHit:
   *       type: object
   *       additionalProperties: false
   *       required: [type, slug, title, excerpt, score]
   *       properties:
   *         type: { type: string, enum: [post, wiki, page] }
   *         slug: { type: string, example: getting-started }
   *         title: { type: string, example: Getting started }
   *         excerpt:
   *           type: string
   *           description: >-
   *             Excerpt of the text as plain text, around the first word of the search that was
   *             found.
   *           example: '… to the bank of Britain, and ask for the way …'
   *         score: { type: number, description: How well the text matches the search. A higher score is a better match., example: 0.61 }
   */
  defineRoute({
    ...validatorRouteOptions,
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
  /**
   * @openapi
   * components:
   *   schemas:
   *     Preview:
   *       type: object
   *       additionalProperties: false
   *       required: [html, removed]
   *       properties:
   *         html:
   *           type: string
   *           description: The rendered text as sanitized HTML.
   *           example: '<p>Ask for <a>our files</a>.</p>'
   *         removed: { $ref: '#/components/schemas/RemovedParts' }
   *     RemovedParts:
   *       type: array
   *       description: >-
   *         Parts of the text that the site does not show as they were written: at most 200, sorted
   *         by line. Raw HTML is not listed, because the site shows it as text. The response to a
   *         preview always contains this list. The response to a request that saves a text contains
   *         it only if there are such parts.
   *       maxItems: 200
   *       items: { $ref: '#/components/schemas/RemovedPart' }
   *     RemovedPart:
   *       type: object
   *       description: A part of a text that the site does not show as it was written.
   *       additionalProperties: false
   *       required: [kind, line, text, address, rule, message]
   *       properties:
   *         kind:
   *           type: string
   *           enum: [link, image, table_cell, definition, footnote, code_info, character]
   *         line:
   *           type: integer
   *           description: >-
   *             Number of the line on which this part of the text begins, or on which the paragraph
   *             that contains the part begins.
   *           minimum: 1
   *           example: 3
   *         text:
   *           type: string
   *           description: >-
   *             Text of the part: of a link its words, of an image its alternative text, and of all
   *             other kinds the part itself. At most 200 characters.
   *           example: our files
   *         address:
   *           type: string
   *           nullable: true
   *           description: >-
   *             URL of the link or image, at most 200 characters. Null for other kinds.
   *           example: 'ftp://files.example.org/'
   *         rule:
   *           type: string
   *           description: Rule that this part of the text breaks, as a code for programs.
   *           enum: [link_scheme, link_malformed, link_user, link_host, image_source, table_width, definition_unused, definition_repeated, footnote_unused, footnote_repeated, code_info, control_character]
   *           example: link_scheme
   *         message:
   *           type: string
   *           description: Rule that this part of the text breaks, as a sentence for people.
   *           example: The link was removed, because its scheme is not one of http, https, mailto, tel, steam, discord, ts3server, mumble. Its text stays.
   */
  defineRoute({
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
