import Joi from "joi";

import { postStatuses } from "../../shared/content/posts/publication.ts";
import {
  listPosts,
  listPublicPosts,
  type PostQuery,
  type PublicPostQuery,
  readPost,
  readPublicPost,
  requirePost,
} from "../../shared/content/posts/read-posts.ts";
import {
  changePost,
  createPost,
  deletePost,
  type NewPost,
  type PostChange,
} from "../../shared/content/posts/write-post.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import {
  bodyField,
  bySlug,
  excerptField,
  imageField,
  listFields,
  slugField,
  tagQuery,
  tagsField,
  timeField,
  titleField,
} from "./fields.ts";
import { keptShortly } from "./kept-shortly.ts";
import { viewPost, viewPostPage, viewPublicPost, viewSavedPost } from "./post-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...keptShortly } as const;
const write = { gate: "roles:admin,editor", set: "core", tag: "Content" } as const;
const edit = { ...write, set: "additive" } as const;

/** For the refusal of what is based on another revision. */
const based = {
  when: "optional",
  field: "base_revision",
  as: "number",
  current: async (
    { params: { id } }: { readonly params: { readonly id: number } },
    context: ApiContext,
  ) => viewPost(await readPost(id, context), context.config),
} as const;

const fields = {
  title: titleField,
  slug: slugField,
  excerpt: excerptField,
  body: bodyField,
  image_url: imageField,
  tags: tagsField,
  pinned: Joi.boolean().description("Whether it stands before the others."),
  status: Joi.string()
    .valid(...postStatuses)
    .description("`published` with a time to come is `scheduled`."),
  published_at: timeField
    .allow(null)
    .description("Kept from the first publication where it is absent."),
};

export const postsRoutes = [
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/posts",
    summary: "Published posts, the pinned first and then the newest",
    query: Joi.object<PublicPostQuery>({ ...listFields, tag: tagQuery }),
    answers: { 200: "PostPage", 304: "" },
    handle: async ({ query }, context) =>
      viewPostPage(await listPublicPosts(query, context), query, context.config),
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/posts/:slug",
    summary: "One published post",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "Post", 304: "", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewPublicPost(await readPublicPost(slug, context), context.config),
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/posts",
    summary: "All posts, drafts and scheduled ones among them, the latest first",
    query: Joi.object<PostQuery>({
      ...listFields,
      status: Joi.string()
        .valid(...postStatuses)
        .empty("")
        .description("Only those that stand so."),
    }),
    answers: { 200: "PostPage" },
    handle: async ({ query }, context) =>
      viewPostPage(await listPosts(query, context), query, context.config),
  }),
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/posts/:id",
    summary: "One post with its source",
    params: byId,
    answers: { 200: "Post", 404: "Error" },
    handle: async ({ params: { id } }, context) =>
      viewPost(await readPost(id, context), context.config),
  }),
  route({
    ...write,
    method: "post",
    path: "/api/v1/admin/posts",
    summary: "Write a post",
    description:
      "A draft, unless `status` says otherwise. Followers are told once, when it is first published.",
    body: Joi.object<NewPost>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Winter in Britain", body: "Snow lies on the roofs of the bank." }),
    answers: { 201: "Post", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, viewSavedPost(await createPost(body, caller, context), context.config)),
  }),
  route({
    ...write,
    method: "put",
    path: "/api/v1/admin/posts/:id",
    summary: "Change, publish or unpublish a post",
    description:
      "Fields that are absent stay as they are. Without `base_revision` the last writer wins.",
    params: byId,
    body: Joi.object<PostChange>(fields).example({ status: "published" }),
    basedOn: based,
    answers: { 200: "Post", 404: "Error", 409: "Error" },
    find: ({ params: { id } }, context) => requirePost(id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewSavedPost(await changePost(id, body, caller, context), context.config),
  }),
  route({
    ...write,
    method: "delete",
    path: "/api/v1/admin/posts/:id",
    summary: "Delete a post",
    params: byId,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error" },
    find: ({ params: { id } }, context) => requirePost(id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await deletePost(id, caller, context);
      return { id };
    },
  }),
];
