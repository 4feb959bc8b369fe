import Joi from "joi";

import {
  audiencesOf,
  pageAudiences,
  changePage,
  createPage,
  deletePage,
  listNavigation,
  listPages,
  type NewPage,
  type PageChange,
  readPage,
  readVisiblePage,
  requirePage,
} from "../../shared/content/pages.ts";
import { limits } from "../../shared/platform/limits.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { briefCachePolicy } from "./brief-cache.ts";
import { bodyField, slugParams, slugField, statusField, titleField } from "./fields.ts";
import {
  viewListedPage,
  viewNavigationEntry,
  viewPage,
  viewPublicPage,
  viewSavedPage,
} from "./page-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...briefCachePolicy } as const;
const edit = { gate: "roles:admin,editor", set: "additive", tag: "Content" } as const;

const { min, max } = limits.navOrder;

/** The revision check of a page. A `stale_revision` refusal contains the current page. */
const based = {
  when: "optional",
  field: "base_revision",
  as: "number",
  current: async (
    { params: { slug } }: { readonly params: { readonly slug: string } },
    context: ApiContext,
  ) => viewPage(await readPage(slug, context)),
} as const;

const fields = {
  title: titleField,
  slug: slugField,
  body: bodyField,
  nav_order: Joi.number()
    .integer()
    .min(min)
    .max(max)
    .allow(null)
    .description(
      "Position in the navigation, lowest first. With null, the page is not part of the " +
        "navigation.",
    ),
  audience: Joi.string()
    .valid(...pageAudiences)
    .description(
      "Lowest audience that may see the page. If absent, a new page is visible to everyone " +
        "(`anonymous`).",
    ),
  status: statusField,
};

export const pagesRoutes = [
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/pages",
    summary: "List the pages of the navigation",
    description:
      "Returns the published pages that are part of the site's navigation and that the caller " +
      "may see, sorted by `nav_order` and then by title.",
    answers: { 200: { listOf: "NavigationEntry" }, 304: "" },
    handle: async ({ caller }, context) => {
      const pages = await listNavigation(audiencesOf(caller), context);
      return pages.map(viewNavigationEntry);
    },
  }),
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/pages/:slug",
    summary: "Get a page",
    description:
      "Returns the rendered page. 404 `not_found` if the page does not exist, is a draft or is " +
      "visible only to a higher audience than the caller's.",
    params: slugParams,
    anyText: ["slug"],
    answers: { 200: "Page", 304: "", 404: "Error" },
    handle: async ({ params: { slug }, caller }, context) =>
      viewPublicPage(await readVisiblePage(slug, audiencesOf(caller), context)),
  }),
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/pages",
    summary: "List all pages",
    description:
      "Returns all pages, including drafts, without their texts. Pages that are part of the " +
      "navigation come first, sorted by `nav_order`. All other pages follow, sorted by title.",
    answers: { 200: { enveloped: "pages", shape: { listOf: "Page" } } },
    handle: async (_input, context) => ({ pages: (await listPages(context)).map(viewListedPage) }),
  }),
  defineRoute({
    ...edit,
    method: "post",
    path: "/api/v1/admin/pages",
    summary: "Create a page",
    description:
      "Stores the page and returns it rendered. In the response, `removed` lists the parts of " +
      "the text that the site does not show as they were written. 409 `slug_taken` if another " +
      "page has the slug. The activity log records the request as `page.created`. If the same " +
      "request is sent again, it creates a second page, unless it contains `slug`: then it is " +
      "409 `slug_taken`.",
    body: Joi.object<NewPage>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Rules", body: "Be kind to each other.", nav_order: 10 }),
    answers: { 201: "Page", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, viewSavedPage(await createPage(body, caller, context))),
  }),
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/pages/:slug",
    summary: "Get a page with its source",
    description:
      "Returns the page with `body`, its text in Markdown. The page may be a draft. 404 " +
      "`not_found` if no page has the slug.",
    params: slugParams,
    anyText: ["slug"],
    answers: { 200: "Page", 404: "Error" },
    handle: async ({ params: { slug } }, context) => viewPage(await readPage(slug, context)),
  }),
  defineRoute({
    ...edit,
    method: "put",
    path: "/api/v1/admin/pages/:slug",
    summary: "Change a page",
    description:
      "Fields that the request does not contain keep their values. Each change increases " +
      "`revision`. If the slug changes, the page is no longer found under its former slug. 404 " +
      "`not_found` if the page is unknown, 409 `slug_taken` if another page has the slug. The " +
      "activity log records the change as `page.updated`.",
    params: slugParams,
    anyText: ["slug"],
    body: Joi.object<PageChange>(fields).example({ nav_order: 20 }),
    basedOn: based,
    answers: { 200: "Page", 404: "Error", 409: "Error" },
    find: ({ params: { slug } }, context) => requirePage(slug, context),
    handle: async ({ params: { slug }, body, caller }, context) =>
      viewSavedPage(await changePage(slug, body, caller, context)),
  }),
  defineRoute({
    ...edit,
    method: "delete",
    path: "/api/v1/admin/pages/:slug",
    summary: "Delete a page",
    description:
      "Deletes the page and returns its slug. 404 `not_found` if the page is unknown or already " +
      "deleted. The activity log records the request as `page.deleted`.",
    params: slugParams,
    anyText: ["slug"],
    basedOn: based,
    answers: { 200: "DeletedSlug", 404: "Error" },
    find: ({ params: { slug } }, context) => requirePage(slug, context),
    handle: async ({ params: { slug }, caller }, context) => {
      await deletePage(slug, caller, context);
      return { slug };
    },
  }),
];
