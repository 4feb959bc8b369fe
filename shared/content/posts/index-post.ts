import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import { indexEntry, removeEntry } from "../search/index-entry.ts";
import { fold } from "../text/fold.ts";

/** What lists of posts are searched by. */
export const foldedOf = ({ title, excerpt, autoExcerpt }: Post): string =>
  fold(`${title} ${excerpt ?? autoExcerpt}`);

/** Lets a post be found as it is now: from its time on where it is published, and never else. */
export async function indexPost(post: Post, text: string, transaction: Transaction): Promise<void> {
  const { id: refId, slug, title, status, tags, publishedAt: visibleFrom } = post;
  if (status === "draft") return removeEntry("post", refId, transaction);
  const beside = [post.excerpt ?? post.autoExcerpt, ...tags];
  const entry = { type: "post", refId, slug, title, beside, text } as const;
  return indexEntry({ ...entry, audience: "anonymous", visibleFrom }, transaction);
}
