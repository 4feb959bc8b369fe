import type { Context } from "../platform/context.ts";

type Stores = Pick<Context, "models">;

/** Returns the posts that the user wrote, without their texts. */
export async function readOwnPosts(userId: number, { models }: Stores): Promise<object[]> {
  const attributes = ["id", "slug", "title", "status", "createdAt", "updatedAt"];
  const posts = await models.Post.findAll({
    attributes,
    where: { authorId: userId },
    order: ["id"],
  });
  return posts.map(({ id, slug, title, status, createdAt, updatedAt }) => ({
    id,
    slug,
    title,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
  }));
}

export async function readOwnWikiRevisions(userId: number, { models }: Stores): Promise<object[]> {
  const attributes = ["pageId", "revision", "title", "note", "createdAt"];
  const revisions = await models.WikiRevision.findAll({
    attributes,
    where: { authorId: userId },
    order: ["pageId", "revision"],
  });
  return revisions.map(({ pageId, revision, title, note, createdAt }) => ({
    page_id: pageId,
    revision,
    title,
    note,
    created_at: createdAt,
  }));
}
