import Joi from "joi";

import { listWiki, type WikiQuery } from "../../shared/content/wiki/list-wiki.ts";
import {
  countCategories,
  countTags,
  readPublicWikiPage,
  readRevisions,
  readWikiPage,
  requireWikiPage,
} from "../../shared/content/wiki/read-wiki.ts";
import {
  changeWikiPage,
  createWikiPage,
  deleteWikiPage,
  type NewWikiPage,
  restoreRevision,
  type WikiChange,
} from "../../shared/content/wiki/write-wiki-page.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { idField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import {
  bodyField,
  bySlug,
  categoryField,
  categoryQuery,
  listFields,
  noteField,
  pagingFields,
  slugField,
  slugParam,
  statusField,
  statusQuery,
  tagQuery,
  tagsField,
  titleField,
} from "./fields.ts";
import { keptShortly } from "./kept-shortly.ts";
import {
  viewPublicWikiPage,
  viewRevision,
  viewSavedWikiPage,
  viewWikiIndex,
  viewWikiPage,
} from "./wiki-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...keptShortly } as const;
const edit = { gate: "roles:admin,editor", set: "additive", tag: "Content" } as const;

const fields = {
  title: titleField,
  slug: slugField.description(
    "Made of the title when absent. A page that gets another one is still found by the former.",
  ),
  body: bodyField,
  category: categoryField,
  tags: tagsField,
  status: statusField,
  note: noteField,
};

/** An unknown page is 404 before body and query are read. */
const findWikiPage = (
  { params: { slug } }: { readonly params: { readonly slug: string } },
  context: ApiContext,
): Promise<void> => requireWikiPage(slug, context);

/** For the refusal of what is based on another revision. */
const based = {
  field: "base_revision",
  as: "number",
  current: async (
    { params: { slug } }: { readonly params: { readonly slug: string } },
    context: ApiContext,
  ) => viewWikiPage(await readWikiPage(slug, context)),
} as const;

const filters = { category: categoryQuery, tag: tagQuery };

export const wikiRoutes = [
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki",
    summary: "The pages of the wiki by title",
    query: Joi.object<Omit<WikiQuery, "status">>({ ...listFields, ...filters }),
    answers: { 200: "WikiIndex", 304: "" },
    handle: async ({ query }, context) => {
      const found = await listWiki({ ...query, status: "published" }, context);
      return viewWikiIndex(found, query);
    },
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/categories",
    summary: "The categories of the wiki, by name",
    answers: { 200: { listOf: "CountedCategory" }, 304: "" },
    handle: (_input, context) => countCategories(context),
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/tags",
    summary: "The tags of the wiki, the commonest first",
    answers: { 200: { listOf: "CountedTag" }, 304: "" },
    handle: (_input, context) => countTags(context),
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/wiki/:slug",
    summary: "One page of the wiki",
    description: "A former slug answers the page too, and names itself in `redirected_from`.",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "WikiPage", 304: "", 404: "Error" },
    handle: async ({ params: { slug } }, context) => {
      const { page, redirectedFrom } = await readPublicWikiPage(slug, context);
      return viewPublicWikiPage(page, redirectedFrom);
    },
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki",
    summary: "All pages of the wiki, drafts among them, by title",
    query: Joi.object<WikiQuery>({ ...listFields, ...filters, status: statusQuery }),
    answers: { 200: "WikiIndex" },
    handle: async ({ query }, context) => viewWikiIndex(await listWiki(query, context), query),
  }),
  route({
    ...edit,
    method: "post",
    path: "/api/v1/admin/wiki",
    summary: "Write a page of the wiki",
    description:
      "`[[Title]]` links to the page of that title, `[[Title|words]]` in other words. A slug that " +
      "leads to another page since its renaming is taken over.",
    body: Joi.object<NewWikiPage>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Getting started", body: "Ask for the way to the [[Bank]]." }),
    answers: { 201: "WikiPage", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, viewSavedWikiPage(await createWikiPage(body, caller, context))),
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki/:slug",
    summary: "One page of the wiki with its source",
    description: "By its present slug alone.",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "WikiPage", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewWikiPage(await readWikiPage(slug, context)),
  }),
  route({
    ...edit,
    method: "put",
    path: "/api/v1/admin/wiki/:slug",
    summary: "Change a page of the wiki",
    description:
      "Makes a new revision. Fields that are absent stay as they are. 409 where another revision " +
      "came after `base_revision`: nobody's text is lost.",
    params: bySlug,
    anyText: ["slug"],
    body: Joi.object<WikiChange>(fields).example({
      body: "Ask for the way to the [[Bank]].",
    }),
    basedOn: { ...based, when: "always" },
    answers: { 200: "WikiPage", 404: "Error", 409: "Error" },
    find: findWikiPage,
    handle: async ({ params: { slug }, body, caller }, context) =>
      viewSavedWikiPage(await changeWikiPage(slug, body, caller, context)),
  }),
  route({
    ...edit,
    method: "delete",
    path: "/api/v1/admin/wiki/:slug",
    summary: "Delete a page of the wiki, with its revisions",
    params: bySlug,
    anyText: ["slug"],
    /**
     * @openapi
     * components:
     *   schemas:
     *     DeletedSlug:
     *       type: object
     *       additionalProperties: false
     *       required: [slug]
     *       properties:
     *         slug: { type: string, example: getting-started }
     */
    basedOn: { ...based, when: "optional" },
    answers: { 200: "DeletedSlug", 404: "Error" },
    find: findWikiPage,
    handle: async ({ params: { slug }, caller }, context) => {
      await deleteWikiPage(slug, caller, context);
      return { slug };
    },
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki/:slug/revisions",
    summary: "The revisions of a page with their texts, the newest first",
    params: bySlug,
    anyText: ["slug"],
    query: Joi.object<{ limit: number; offset: number }, true>(pagingFields),
    answers: { 200: { enveloped: "revisions", shape: { listOf: "WikiRevision" } }, 404: "Error" },
    find: findWikiPage,
    handle: async ({ params: { slug }, query }, context) => ({
      revisions: (await readRevisions(slug, query, context)).map(viewRevision),
    }),
  }),
  route({
    ...edit,
    method: "post",
    path: "/api/v1/admin/wiki/:slug/revisions/:rev/restore",
    summary: "Make the text of an old revision the newest one",
    params: Joi.object<{ slug: string; rev: number }, true>({
      slug: slugParam,
      rev: idField.required().description("The revision."),
    }),
    anyText: ["slug"],
    basedOn: {
      ...based,
      when: "optional",
      current: ({ params }, context) => based.current({ params }, context),
    },
    answers: { 200: "WikiPage", 404: "Error" },
    find: findWikiPage,
    handle: async ({ params: { slug, rev }, caller }, context) =>
      viewSavedWikiPage(await restoreRevision(slug, rev, caller, context)),
  }),
];
