import type { Context } from "../platform/context.ts";

type Stores = Pick<Context, "models">;

/**
 * Posts that the user wrote; their texts are read where they stand.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnPost:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, title, status, created_at, updated_at]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string, example: the-fair-begins }
 *         title: { type: string, example: The fair begins }
 *         status: { type: string, enum: [draft, published] }
 *         created_at: { type: string, format: date-time }
 *         updated_at: { type: string, format: date-time }
 */
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

/**
 * Revisions of wiki pages that the user wrote.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnWikiRevision:
 *       type: object
 *       additionalProperties: false
 *       required: [page_id, revision, title, note, created_at]
 *       properties:
 *         page_id: { type: integer }
 *         revision: { type: integer }
 *         title: { type: string, example: Taming }
 *         note:
 *           type: string
 *           nullable: true
 *           description: Note about the change. Null if the author wrote none.
 *           example: A typo
 *         created_at: { type: string, format: date-time }
 */
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
