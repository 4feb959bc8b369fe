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
  pinned: Joi.boolean().description("Whether lists show the post before other posts."),
  status: Joi.string()
    .valid(...postStatuses)
    .description(
      "`scheduled` requires `published_at`. A post with the status `published` and a " +
        "`published_at` in the future is scheduled, too. If absent, a new post is a draft.",
    ),
  published_at: timeField
    .allow(null)
    .description(
      "If absent, a post that is published receives the current time, or keeps the time of its " +
        "first publication.",
    ),
};

export const postsRoutes = [
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/posts",
    summary: "List the published posts",
    description:
      "Returns one page of posts without their texts: pinned posts first, then the newest.",
    query: Joi.object<PublicPostQuery>({ ...listFields, tag: tagQuery }),
    answers: { 200: "PostPage", 304: "" },
    handle: async ({ query }, context) =>
      viewPostPage(await listPublicPosts(query, context), query, context.config),
  }),
  route({
    ...read,
    method: "get",
    path: "/api/v1/public/posts/:slug",
    summary: "Get a published post",
    description:
      "Returns the rendered post. 404 `not_found` for a post that does not exist, is a draft or " +
      "is scheduled.",
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
    summary: "List all posts",
    description:
      "Returns one page of posts without their texts, including drafts and scheduled posts. The " +
      "post that was created last comes first.",
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
  route({
    ...edit,
    method: "get",
    path: "/api/v1/admin/posts/:id",
    summary: "Get a post with its source",
    description:
      "Returns the post, which may be a draft or scheduled, with `body` as it was written. 404 " +
      "`not_found` for an unknown id.",
    params: byId,
    answers: { 200: "Post", 404: "Error" },
    handle: async ({ params: { id } }, context) =>
      viewPost(await readPost(id, context), context.config),
  }),
  route({
    ...write,
    method: "post",
    path: "/api/v1/admin/posts",
    summary: "Create a post",
    description:
      "Stores the post, which is a draft unless `status` has another value. `removed` lists " +
      "parts of the text that are not shown as they were written. When the post is first " +
      "published, immediately or at its scheduled time, the site announces it once, on the push " +
      "stream `news.post` and to webhooks. 409 `slug_taken` if another post has the slug. The " +
      "activity log records `post.created` and `post.published`. A repeated request without " +
      "`slug` creates a second post; with `slug`, it is 409.",
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
      "Absent fields keep their values. Each change increases `revision`. The first publication " +
      "is announced as for a new post. A post that is published again is not announced again. " +
      "404 `not_found` for an unknown post, 409 `slug_taken` if another post has the slug. The " +
      "activity log records the change as `post.updated`.",
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
    description:
      "Deletes the post and returns its id. 404 `not_found` for an unknown post, so a repeated " +
      "request is 404 as well. The activity log records the request as `post.deleted`.",
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
