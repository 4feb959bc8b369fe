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
import { createAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { briefCachePolicy } from "./brief-cache.ts";
import {
  bodyField,
  slugParams,
  excerptField,
  imageField,
  listFields,
  slugField,
  tagQuery,
  tagsField,
  timeField,
  titleField,
} from "./fields.ts";
import { viewPost, viewPostPage, viewPublicPost, viewSavedPost } from "./post-views.ts";

const read = { gate: "public", set: "core", tag: "Content", ...briefCachePolicy } as const;
const write = { gate: "roles:admin,editor", set: "core", tag: "Content" } as const;
const edit = { ...write, set: "additive" } as const;

/** The revision check of a post. A `stale_revision` refusal contains the current post. */
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
  pinned: Joi.boolean().description(
    "Whether the post is pinned, so that lists show it before all posts that are not pinned.",
  ),
  status: Joi.string()
    .valid(...postStatuses)
    .description(
      "Status of the post. `scheduled` requires `published_at`. A post with the status " +
        "`published` and a `published_at` in the future is scheduled as well. If absent, a new " +
        "post is a draft.",
    ),
  published_at: timeField
    .allow(null)
    .description(
      "Time of publication. If absent when a post is published, the post keeps the time of its " +
        "first publication or, if it has none, receives the current time.",
    ),
};

export const postsRoutes = [
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/posts",
    summary: "List the published posts",
    description:
      "Returns one page of the list of published posts, without their texts. Pinned posts come " +
      "first; all other posts follow, newest first.",
    query: Joi.object<PublicPostQuery>({ ...listFields, tag: tagQuery }),
    answers: { 200: "PostPage", 304: "" },
    handle: async ({ query }, context) =>
      viewPostPage(await listPublicPosts(query, context), query, context.config),
  }),
  defineRoute({
    ...read,
    method: "get",
    path: "/api/v1/public/posts/:slug",
    summary: "Get a published post",
    description:
      "Returns the rendered post. 404 `not_found` if the post does not exist, is a draft or is " +
      "scheduled.",
    params: slugParams,
    anyText: ["slug"],
    answers: { 200: "Post", 304: "", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewPublicPost(await readPublicPost(slug, context), context.config),
  }),
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/posts",
    summary: "List all posts",
    description:
      "Returns one page of the list of all posts, without their texts. The list includes drafts " +
      "and scheduled posts and is sorted by time of creation, newest first.",
    query: Joi.object<PostQuery>({
      ...listFields,
      status: Joi.string()
        .valid(...postStatuses)
        .empty("")
        .description("Returns only posts with this status."),
    }),
    answers: { 200: "PostPage" },
    handle: async ({ query }, context) =>
      viewPostPage(await listPosts(query, context), query, context.config),
  }),
  defineRoute({
    ...edit,
    method: "get",
    path: "/api/v1/admin/posts/:id",
    summary: "Get a post with its source",
    description:
      "Returns the post with `body`, its text in Markdown. The post may be a draft or scheduled. " +
      "404 `not_found` if the post is unknown.",
    params: rowIdParams,
    answers: { 200: "Post", 404: "Error" },
    handle: async ({ params: { id } }, context) =>
      viewPost(await readPost(id, context), context.config),
  }),
  defineRoute({
    ...write,
    method: "post",
    path: "/api/v1/admin/posts",
    summary: "Create a post",
    description:
      "Stores the post and returns it. The post is a draft unless `status` says otherwise. In " +
      "the response, `removed` lists the parts of the text that the site does not show as they " +
      "were written. When the post is first published, immediately or at its scheduled time, the " +
      "site announces it once: on the push stream `news.post` and to the webhooks that subscribe " +
      "to this stream. 409 `slug_taken` if another post has the slug. The activity log records " +
      "`post.created` and `post.published`. If the same request is sent again, it creates a " +
      "second post, unless it contains `slug`: then it is 409 `slug_taken`.",
    body: Joi.object<NewPost>({
      ...fields,
      title: titleField.required(),
      body: bodyField.required(),
    }).example({ title: "Winter in Britain", body: "Snow lies on the roofs of the bank." }),
    answers: { 201: "Post", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, viewSavedPost(await createPost(body, caller, context), context.config)),
  }),
  defineRoute({
    ...write,
    method: "put",
    path: "/api/v1/admin/posts/:id",
    summary: "Change, publish or unpublish a post",
    description:
      "Fields that the request does not contain keep their values. Each change increases " +
      "`revision`. When the change publishes the post for the first time, the site announces the " +
      "post as after `POST /admin/posts`. The site announces a post only once, even if the post " +
      "is unpublished and published again. 404 `not_found` if the post is unknown, 409 " +
      "`slug_taken` if another post has the slug. The activity log records the change as " +
      "`post.updated`.",
    params: rowIdParams,
    body: Joi.object<PostChange>(fields).example({ status: "published" }),
    basedOn: based,
    answers: { 200: "Post", 404: "Error", 409: "Error" },
    find: ({ params: { id } }, context) => requirePost(id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewSavedPost(await changePost(id, body, caller, context), context.config),
  }),
  defineRoute({
    ...write,
    method: "delete",
    path: "/api/v1/admin/posts/:id",
    summary: "Delete a post",
    description:
      "Deletes the post and returns its id. 404 `not_found` if the post is unknown or already " +
      "deleted. The activity log records the request as `post.deleted`.",
    params: rowIdParams,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error" },
    find: ({ params: { id } }, context) => requirePost(id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await deletePost(id, caller, context);
      return { id };
    },
  }),
];
