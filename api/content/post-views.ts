import type { Post } from "../../models/content/post.ts";
import type { ListPage } from "../../shared/content/list-query.ts";
import type { SavedText } from "../../shared/content/saved-text.ts";
import { type ImageRules, findAllowedImage } from "../../shared/platform/net/image-address.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     Post:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         - id
 *         - slug
 *         - title
 *         - excerpt
 *         - image_url
 *         - tags
 *         - status
 *         - pinned
 *         - author_id
 *         - author
 *         - published_at
 *         - created_at
 *         - updated_at
 *         - revision
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string, example: winter-in-britain }
 *         title: { type: string, example: Winter in Britain }
 *         excerpt:
 *           type: string
 *           description: >-
 *             Excerpt that the author wrote or, if the author wrote none, the beginning of the
 *             text.
 *           example: Snow lies on the roofs of the bank.
 *         image_url:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Image of the post. Null if the post has no image, or if the site no longer allows
 *             images from this URL.
 *           example: 'https://example.org/winter.png'
 *         tags: { type: array, items: { type: string, example: events } }
 *         status:
 *           type: string
 *           enum: [draft, scheduled, published]
 *           description: >-
 *             Status of the post. A post is `scheduled` until the time in `published_at`.
 *         pinned: { type: boolean, description: 'Whether the post is pinned, so that lists show it before all posts that are not pinned.' }
 *         author_id: { type: integer, description: User id of the author. The id stays the same when the author's account is deleted. }
 *         author: { $ref: '#/components/schemas/Author' }
 *         published_at:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time of publication, which may be in the future. Null for a draft without such a
 *             time.
 *         created_at: { type: string, format: date-time }
 *         updated_at: { type: string, format: date-time }
 *         revision: { type: integer, description: Number of the current revision. Each change increases it., example: 3 }
 *         body_html:
 *           type: string
 *           description: Text of the post or page as sanitized HTML. Absent in lists.
 *           example: <p>Snow lies on the roofs of the bank.</p>
 *         body:
 *           type: string
 *           description: >-
 *             Text of the post or page in Markdown. Only the operations for editors and
 *             administrators return this field. Absent in lists.
 *           example: Snow lies on the roofs of the bank.
 *         removed: { $ref: '#/components/schemas/RemovedParts' }
 *     Author:
 *       type: object
 *       nullable: true
 *       description: User who wrote or changed the text. Null if the account was deleted.
 *       additionalProperties: false
 *       required: [id, username]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 *     PostPage:
 *       type: object
 *       additionalProperties: false
 *       required: [posts, total, limit, offset]
 *       properties:
 *         posts: { type: array, items: { $ref: '#/components/schemas/Post' } }
 *         total: { type: integer, description: Number of matching posts on all pages of the list. }
 *         limit: { type: integer }
 *         offset: { type: integer }
 */
export const viewListedPost = (post: Post, images: ImageRules) => ({
  id: post.id,
  slug: post.slug,
  title: post.title,
  excerpt: post.excerpt ?? post.autoExcerpt,
  image_url: findAllowedImage(post.imageUrl, images),
  tags: post.tags,
  status: post.get("isScheduled") === true ? "scheduled" : post.status,
  pinned: post.pinned,
  author_id: post.authorId,
  author: post.author ? { id: post.author.id, username: post.author.username } : null,
  published_at: post.publishedAt,
  created_at: post.createdAt,
  updated_at: post.updatedAt,
  revision: post.revision,
});

export const viewPostPage = (
  { rows, total }: ListPage<Post>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  images: ImageRules,
) => ({ posts: rows.map((post) => viewListedPost(post, images)), total, limit, offset });

/** A post as the public sees it. */
export const viewPublicPost = (post: Post, images: ImageRules) => ({
  ...viewListedPost(post, images),
  body_html: post.bodyHtml,
});

/** A post as editors see it, with its Markdown source. */
export const viewPost = (post: Post, images: ImageRules) => ({
  ...viewPublicPost(post, images),
  body: post.body,
});

/** A post as editors see it right after saving. */
export const viewSavedPost = ({ row, removed }: SavedText<Post>, images: ImageRules) => ({
  ...viewPost(row, images),
  ...(removed.length > 0 && { removed }),
});
