import Joi from "joi";

import {
  listWikiPages,
  type WikiQuery,
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
import { createAnswer } from "../http/answer.ts";
import { idField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import {
  bodyField,
  slugParams,
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
import { viewRevision, viewSavedWikiPage, viewWikiIndex, viewWikiPage } from "./wiki-views.ts";

const edit = { gate: "roles:admin,editor", set: "additive", tag: "Content" } as const;

const fields = {
  title: titleField,
  slug: slugField.description(
    "Lowercase letters and digits, with hyphens between them. If absent, a new page receives a " +
      "slug made from its title. `categories` and `tags` are reserved.",
  ),
  body: bodyField,
  category: categoryField,
  tags: tagsField,
  status: statusField,
  note: noteField,
};

/** Finds the page before the body and query are read, so that an unknown page is 404. */
const findWikiPage = (
  { params: { slug } }: { readonly params: { readonly slug: string } },
  context: ApiContext,
): Promise<void> => requireWikiPage(slug, context);

/** The revision check of a wiki page. A `stale_revision` refusal contains the current page. */
const based = {
  field: "base_revision",
  as: "number",
  current: async (
    { params: { slug } }: { readonly params: { readonly slug: string } },
    context: ApiContext,
  ) => viewWikiPage(await readWikiPage(slug, context)),
} as const;

const filters = { category: categoryQuery, tag: tagQuery };

export const wikiEditingRoutes = [
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki",
    summary: "List all wiki pages",
    description:
      "Returns one page of the list of all wiki pages, including drafts, without their texts, " +
      "sorted by title.",
    query: Joi.object<WikiQuery>({ ...listFields, ...filters, status: statusQuery }),
    answers: { 200: "WikiIndex" },
    handle: async ({ query }, context) => viewWikiIndex(await listWikiPages(query, context), query),
  }),
  defineRoute({
    ...edit,
    method: "post",
    path: "/api/v1/admin/wiki",
    summary: "Create a wiki page",
    description:
      "Stores the page with its first revision and returns it. In the response, `removed` lists " +
      "the parts of the text that the site does not show as they were written. In the text, " +
      "`[[Title]]` links to the wiki page with this title, and `[[Title|words]]` shows the words " +
      "instead of the title. 409 `slug_taken` if another page has the slug. If the slug is a " +
      "former slug of another page, the slug leads to the new page from now on. The activity log " +
      "records the request as `wiki.created`. If the same request is sent again, it creates a " +
      "second page, unless it contains `slug`: then it is 409 `slug_taken`.",
    body: Joi.object<NewWikiPage>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Getting started", body: "Ask for the way to the [[Bank]]." }),
    answers: { 201: "WikiPage", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, viewSavedWikiPage(await createWikiPage(body, caller, context))),
  }),
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki/:slug",
    summary: "Get a wiki page with its source",
    description:
      "Returns the wiki page with `body`, its text in Markdown. The page may be a draft. 404 " +
      "`not_found` if no page has the slug now; former slugs of pages are not found.",
    params: slugParams,
    anyText: ["slug"],
    answers: { 200: "WikiPage", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewWikiPage(await readWikiPage(slug, context)),
  }),
  defineRoute({
    ...edit,
    method: "put",
    path: "/api/v1/admin/wiki/:slug",
    summary: "Change a wiki page",
    description:
      "Stores a new revision of the wiki page. Fields that the request does not contain keep " +
      "their values. If the slug changes, the public wiki still finds the page under its former " +
      "slug. 404 `not_found` if the page is unknown, 409 `slug_taken` if another page has the " +
      "slug. The activity log records the change as `wiki.updated`.",
    params: slugParams,
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
  defineRoute({
    ...edit,
    method: "delete",
    path: "/api/v1/admin/wiki/:slug",
    summary: "Delete a wiki page",
    description:
      "Deletes the page with its revisions and former slugs, and returns its slug. 404 " +
      "`not_found` if the page is unknown or already deleted. The activity log records the " +
      "request as `wiki.deleted`.",
    params: slugParams,
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
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/wiki/:slug/revisions",
    summary: "List the revisions of a wiki page",
    description:
      "Returns one page of the list of revisions, with their texts, newest first. 404 " +
      "`not_found` if the wiki page is unknown.",
    params: slugParams,
    anyText: ["slug"],
    query: Joi.object<{ limit: number; offset: number }, true>(pagingFields),
    answers: { 200: { enveloped: "revisions", shape: { listOf: "WikiRevision" } }, 404: "Error" },
    find: findWikiPage,
    handle: async ({ params: { slug }, query }, context) => ({
      revisions: (await readRevisions(slug, query, context)).map(viewRevision),
    }),
  }),
  defineRoute({
    ...edit,
    method: "post",
    path: "/api/v1/admin/wiki/:slug/revisions/:rev/restore",
    summary: "Restore a revision of a wiki page",
    description:
      "Stores the title and text of revision `rev` as a new revision. The slug, category, tags " +
      "and status of the page do not change. 404 `not_found` if the page or the revision is " +
      "unknown. The activity log records the request as `wiki.restored`.",
    params: Joi.object<{ slug: string; rev: number }, true>({
      slug: slugParam,
      rev: idField.required().description("Number of the revision to restore."),
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
