import Joi from "joi";

import {
  listWikiPages,
  type WikiQuery,
  countCategories,
  countTags,
  readPublicWikiPage,
} from "../../shared/content/wiki/read-wiki.ts";
import { defineRoute } from "../http/route.ts";
import { briefCachePolicy } from "./brief-cache.ts";
import { slugParams, categoryQuery, listFields, tagQuery } from "./fields.ts";
import { viewPublicWikiPage, viewWikiIndex } from "./wiki-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...briefCachePolicy } as const;

const filters = { category: categoryQuery, tag: tagQuery };

export const wikiRoutes = [
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki",
    summary: "List the wiki pages",
    description:
      "Returns one page of the list of published wiki pages, without their texts, sorted by " +
      "title.",
    query: Joi.object<Omit<WikiQuery, "status">>({ ...listFields, ...filters }),
    answers: { 200: "WikiIndex", 304: "" },
    handle: async ({ query }, context) => {
      const found = await listWikiPages({ ...query, status: "published" }, context);
      return viewWikiIndex(found, query);
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     CountedCategory:
   *       type: object
   *       additionalProperties: false
   *       required: [slug, name, count]
   *       properties:
   *         slug: { type: string, example: guides }
   *         name: { type: string, example: Guides }
   *         count: { type: integer, description: Number of published wiki pages with this category., example: 12 }
   */
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/categories",
    summary: "List the wiki categories",
    description: "Returns the categories that have published wiki pages, sorted by name.",
    answers: { 200: { listOf: "CountedCategory" }, 304: "" },
    handle: (_input, context) => countCategories(context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     CountedTag:
   *       type: object
   *       additionalProperties: false
   *       required: [tag, count]
   *       properties:
   *         tag: { type: string, example: mining }
   *         count: { type: integer, description: Number of published wiki pages with this tag., example: 3 }
   */
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/tags",
    summary: "List the wiki tags",
    description: "Returns the tags of published wiki pages, the most frequent tag first.",
    answers: { 200: { listOf: "CountedTag" }, 304: "" },
    handle: (_input, context) => countTags(context),
  }),
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/:slug",
    summary: "Get a wiki page",
    description:
      "Returns the rendered page. `slug` may also be a former slug of the page, or the slug that " +
      "is made from its title. In both cases, `redirected_from` contains the slug of the " +
      "request. 404 `not_found` if the page does not exist or is a draft.",
    params: slugParams,
    anyText: ["slug"],
    answers: { 200: "WikiPage", 304: "", 404: "Error" },
    handle: async ({ params: { slug } }, context) => {
      const { page, redirectedFrom } = await readPublicWikiPage(slug, context);
      return viewPublicWikiPage(page, redirectedFrom);
    },
  }),
];
