import { type Model, type ModelStatic, Op, type Transaction } from "sequelize";

import type { Page } from "../../models/content/page.ts";
import type { Post } from "../../models/content/post.ts";
import type { ContentType } from "../../models/content/search-entry.ts";
import type { WikiPage } from "../../models/content/wiki-page.ts";
import { lockForTransaction } from "../platform/db/lock.ts";
import { firstRow } from "../platform/db/rows.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { AppError, invalidFields } from "../platform/errors/errors.ts";
import { numberedSlug, numberedStem, slugOf } from "./text/slugs.ts";

type Slugged = Pick<Post & WikiPage & Page, "slug">;

function textsOf(type: ContentType, transaction: Transaction): ModelStatic<Model<Slugged>> {
  const { Post, WikiPage, Page } = modelsOf(transaction);
  return { post: Post, wiki: WikiPage, page: Page }[type];
}

/** Addresses of the wiki that are none of its pages. */
const reserved: readonly string[] = ["categories", "tags"];

const isReserved = (type: ContentType, slug: string): boolean =>
  type === "wiki" && reserved.includes(slug);

/**
 * Takes a slug that somebody chose. Whoever takes one has the lock until the end of the transaction.
 * @throws AppError when it is reserved, or another text has it
 */
export async function takeSlug(
  type: ContentType,
  slug: string,
  transaction: Transaction,
): Promise<void> {
  if (isReserved(type, slug)) {
    throw invalidFields([{ path: "slug", message: `slug must not be ${slug}, which is reserved` }]);
  }
  if (!(await isFreeSlug(type, slug, transaction))) {
    throw new AppError("slug_taken", `The slug ${slug} is taken`);
  }
}

/** Whether a text may have it, and none does. Stays so until the end of the transaction: nobody else takes one. */
export async function isFreeSlug(
  type: ContentType,
  slug: string,
  transaction: Transaction,
): Promise<boolean> {
  if (slug === "" || isReserved(type, slug)) return false;
  await lockForTransaction("slugs", transaction);
  return (await textsOf(type, transaction).count({ where: { slug }, transaction })) === 0;
}

/**
 * Takes a slug made of the title, with a number behind it where it is taken. A title without any
 * letter or number gets the id of the row that is made next.
 */
export async function deriveSlug(
  type: ContentType,
  title: string,
  transaction: Transaction,
): Promise<string> {
  await lockForTransaction("slugs", transaction);
  const wanted =
    slugOf(title) || `${type}-${await nextIdOf(textsOf(type, transaction), transaction)}`;
  const where = { slug: { [Op.startsWith]: numberedStem(wanted) } };
  const read = { attributes: ["slug"], where, transaction };
  const alike = await textsOf(type, transaction).findAll(read);
  const taken = new Set(alike.map((text) => text.get("slug")));
  let slug = wanted;
  for (let number = 2; taken.has(slug) || isReserved(type, slug); number++) {
    slug = numberedSlug(wanted, number);
  }
  return slug;
}

/**
 * The id that the next row of a table gets, of a counter that no model tells of.
 * @param transaction holds a lock without which nobody makes such a row
 */
async function nextIdOf(
  { tableName }: ModelStatic<Model>,
  transaction: Transaction,
): Promise<number> {
  const row = await firstRow<{ id: number }>(
    transaction,
    `select (last_value + is_called::integer)::integer as id from ${tableName}_id_seq`,
  );
  return row?.id ?? 1;
}
