import Joi from "joi";

import { audiencesOf, pageAudiences } from "../../shared/content/audiences.ts";
import {
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
} from "../../shared/content/pages/pages.ts";
import { limits } from "../../shared/limits.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { bodyField, bySlug, slugField, statusField, titleField } from "./fields.ts";
import { keptShortly } from "./kept-shortly.ts";
import {
  viewListedPage,
  viewNavigationEntry,
  viewPage,
  viewPublicPage,
  viewSavedPage,
} from "./page-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...keptShortly } as const;
const edit = { gate: "roles:admin,editor", set: "additive", tag: "Content" } as const;

const { min, max } = limits.navOrder;

/** For the refusal of what is based on another revision. */
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
    .description("Its place in the navigation; null for a page that is not in it."),
  audience: Joi.string()
    .valid(...pageAudiences)
    .description("The lowest rung that may see it; `anonymous` when absent."),
  status: statusField,
};

export const pagesRoutes = [
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/pages",
    summary: "The pages in the caller's navigation, in its order",
    answers: { 200: { listOf: "NavigationEntry" }, 304: "" },
    handle: async ({ caller }, context) => {
      const pages = await listNavigation(audiencesOf(caller), context);
      return pages.map(viewNavigationEntry);
    },
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/pages/:slug",
    summary: "One page",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "Page", 304: "", 404: "Error" },
    handle: async ({ params: { slug }, caller }, context) =>
      viewPublicPage(await readVisiblePage(slug, audiencesOf(caller), context)),
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/pages",
    summary: "All pages, drafts among them",
    answers: { 200: { enveloped: "pages", shape: { listOf: "Page" } } },
    handle: async (_input, context) => ({ pages: (await listPages(context)).map(viewListedPage) }),
  }),
  route({
    ...edit,
    method: "post",
    path: "/api/v1/admin/pages",
    summary: "Write a page",
    body: Joi.object<NewPage>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Rules", body: "Be kind to each other.", nav_order: 10 }),
    answers: { 201: "Page", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, viewSavedPage(await createPage(body, caller, context))),
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/pages/:slug",
    summary: "One page with its source",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "Page", 404: "Error" },
    handle: async ({ params: { slug } }, context) => viewPage(await readPage(slug, context)),
  }),
  route({
    ...edit,
    method: "put",
    path: "/api/v1/admin/pages/:slug",
    summary: "Change a page",
    description:
      "Fields that are absent stay as they are. Without `base_revision` the last writer wins. A " +
      "page that gets another slug is not found by the former.",
    params: bySlug,
    anyText: ["slug"],
    body: Joi.object<PageChange>(fields).example({ nav_order: 20 }),
    basedOn: based,
    answers: { 200: "Page", 404: "Error", 409: "Error" },
    find: ({ params: { slug } }, context) => requirePage(slug, context),
    handle: async ({ params: { slug }, body, caller }, context) =>
      viewSavedPage(await changePage(slug, body, caller, context)),
  }),
  route({
    ...edit,
    method: "delete",
    path: "/api/v1/admin/pages/:slug",
    summary: "Delete a page",
    params: bySlug,
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
