import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { deriveSlug, reserveSlug } from "../choose-slug.ts";
import type { RemovedPart } from "../markdown/removed-parts.ts";
import {
  type FootnoteIdPrefix,
  type RenderedText,
  renderMarkdown,
  renderedColumns,
} from "../markdown/render.ts";
import { makeRenderContext } from "../render-context.ts";
import { changedFields, omitUndefined, type SavedText } from "../saved-text.ts";
import { removeSearchEntry, foldPostTexts, indexPost } from "../search/entries.ts";
import { announceOrSchedulePost } from "./announcements.ts";
import { type PublicationChange, decidePublication } from "./publication.ts";
import { readPost } from "./read-posts.ts";

/** An editor's change of a post. An undefined field stays unchanged. */
export interface PostChange extends PublicationChange {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly excerpt?: string | null | undefined;
  readonly body?: string | undefined;
  readonly image_url?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly pinned?: boolean | undefined;
}

export type NewPost = PostChange & { readonly title: string; readonly body: string };

const unpublished = { status: "draft", publishedAt: null } as const;

/** @throws AppError if the slug is taken, or a scheduled post has no time */
export async function createPost(
  given: NewPost,
  actor: Actor,
  context: Context,
): Promise<SavedText<Post>> {
  const rendered = await renderMarkdown(given.body, makeRenderContext(context));
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const now = await readClock(transaction);
    const slug = await slugFor(given, transaction);
    const post = await context.models.Post.create(
      {
        ...columnsOf(given),
        ...columnsOfRendered(rendered, `post-${slug}`, context),
        ...decidePublication(now, unpublished, given),
        title: given.title,
        body: given.body,
        slug,
        folded: "",
        authorId: actor.userId,
      },
      { transaction },
    );
    const { id, status } = post;
    await storePost(post, { text: rendered.text, actor }, transaction, context);
    const target = { type: "post", id };
    const detail = { slug, status };
    const line = { actor, action: "post.created", target, detail };
    await recordActivity(line, transaction);
    const row = await readPost(id, context, transaction);
    return { row, removed: rendered.removed };
  });
}

/** @throws AppError if the post is unknown, has a newer revision, or the slug is taken */
export function changePost(
  id: number,
  given: PostChange,
  actor: Actor,
  context: Context,
): Promise<SavedText<Post>> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { removed } = await changePostInTransaction(id, given, { actor, transaction }, context);
    return { row: await readPost(id, context, transaction), removed };
  });
}

interface WriteContext {
  readonly actor: Actor;
  readonly transaction: Transaction;
}

interface PostChangeResult {
  /** False if the post is due now and its announcement could not be stored. */
  readonly isAnnounced: boolean;
  readonly removed: readonly RemovedPart[];
}

/** Changes a post within the caller's transaction. Throws as `changePost` does. */
export async function changePostInTransaction(
  id: number,
  given: PostChange,
  { actor, transaction }: WriteContext,
  context: Context,
): Promise<PostChangeResult> {
  const { Post } = context.models;
  const post = await Post.findByPk(id, { transaction, lock: transaction.LOCK.NO_KEY_UPDATE });
  if (!post) throw notFoundError("Unknown post");
  requireBaseRevision(post.revision);
  const rendered = await renderMarkdown(
    given.body ?? post.body,
    makeRenderContext(context, transaction),
  );
  const { slug = post.slug } = given;
  if (slug !== post.slug) await reserveSlug("post", slug, transaction);
  // Read the clock after the lock: while the transaction waited for it, the post may have been published.
  const now = await readClock(transaction);
  post.set({ ...columnsOf(given), ...columnsOfRendered(rendered, `post-${slug}`, context), slug });
  post.set(decidePublication(now, post, given));
  const fields = changedFields(post);
  post.set({ revision: post.revision + 1, updatedAt: now });
  const isAnnounced = await storePost(post, { text: rendered.text, actor }, transaction, context);
  const target = { type: "post", id };
  const line = { actor, action: "post.updated", target, detail: { slug, fields } };
  await recordActivity(line, transaction);
  return { isAnnounced, removed: rendered.removed };
}

/** @throws AppError not_found */
export async function deletePost(id: number, actor: Actor, context: Context): Promise<void> {
  const { Post } = context.models;
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const post = await Post.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!post) throw notFoundError("Unknown post");
    requireBaseRevision(post.revision);
    await post.destroy({ transaction });
    await removeSearchEntry("post", id, transaction);
    const target = { type: "post", id };
    const line = { actor, action: "post.deleted", target, detail: { slug: post.slug } };
    await recordActivity(line, transaction);
  });
}

const columnsOf = ({ title, excerpt, body, image_url, tags, pinned }: PostChange) =>
  omitUndefined({ title, excerpt, body, imageUrl: image_url, tags: tags && [...tags], pinned });

const columnsOfRendered = (
  rendered: RenderedText,
  name: FootnoteIdPrefix,
  { config }: Context,
) => ({
  ...renderedColumns(rendered, name, config),
  autoExcerpt: rendered.excerpt,
});

const slugFor = async ({ slug, title }: NewPost, transaction: Transaction): Promise<string> => {
  if (slug === undefined) return deriveSlug("post", title, transaction);
  await reserveSlug("post", slug, transaction);
  return slug;
};

interface PostWrite {
  readonly text: string;
  readonly actor: Actor;
}

/**
 * Stores a post and its search entry, and announces it or schedules its announcement.
 * @returns false if it was not announced
 */
async function storePost(
  post: Post,
  { text, actor }: PostWrite,
  transaction: Transaction,
  context: Context,
): Promise<boolean> {
  post.folded = foldPostTexts(post);
  await post.save({ transaction });
  await indexPost(post, text, transaction);
  return announceOrSchedulePost(post, actor, transaction, context);
}

interface PublishContext {
  readonly actor: Actor;
  readonly transaction: Transaction;
}

/** Publishes a draft. @returns false if it is no draft @throws AppError not_found, Error if not announced */
export async function publishDraft(
  id: number,
  { actor, transaction }: PublishContext,
  context: Context,
): Promise<boolean> {
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const post = await context.models.Post.findByPk(id, {
    attributes: ["status"],
    lock,
    transaction,
  });
  if (!post) throw notFoundError("Unknown post");
  if (post.status === "published") return false;
  const change = { status: "published" } as const;
  const { isAnnounced } = await changePostInTransaction(
    id,
    change,
    { actor, transaction },
    context,
  );
  if (!isAnnounced) throw new Error("the announcement of the post could not be stored");
  return true;
}
