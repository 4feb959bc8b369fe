import { type Model, type ModelStatic, Op, type Transaction } from "sequelize";

import type { Page } from "../../models/content/page.ts";
import type { Post } from "../../models/content/post.ts";
import type { ContentType } from "../../models/content/search-entry.ts";
import type { WikiPage } from "../../models/content/wiki-page.ts";
import { takeTransactionLock } from "../platform/db/lock.ts";
import { firstRow } from "../platform/db/rows.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import { AppError, invalidFieldsError } from "../platform/errors/errors.ts";
import { appendSlugNumber, numberedSlugPrefixOf, slugOf } from "./text/slugs.ts";

type SlugRow = Pick<Post & WikiPage & Page, "slug">;

function modelOf(type: ContentType, transaction: Transaction): ModelStatic<Model<SlugRow>> {
  const { Post, WikiPage, Page } = modelsOf(transaction);
  return { post: Post, wiki: WikiPage, page: Page }[type];
}

/** Wiki addresses that no wiki page can have. */
const reserved: readonly string[] = ["categories", "tags"];

const isReserved = (type: ContentType, slug: string): boolean =>
  type === "wiki" && reserved.includes(slug);

/** Locks all slugs until the transaction ends. @throws AppError if the slug is reserved or taken */
export async function reserveSlug(
  type: ContentType,
  slug: string,
  transaction: Transaction,
): Promise<void> {
  if (isReserved(type, slug)) {
    throw invalidFieldsError([
      { path: "slug", message: `slug must not be ${slug}, which is reserved` },
    ]);
  }
  if (!(await isFreeSlug(type, slug, transaction))) {
    throw new AppError("slug_taken", `The slug ${slug} is taken`);
  }
}

/** Returns true if the slug is neither reserved nor taken. Locks all slugs until the transaction ends. */
export async function isFreeSlug(
  type: ContentType,
  slug: string,
  transaction: Transaction,
): Promise<boolean> {
  if (slug === "" || isReserved(type, slug)) return false;
  await takeTransactionLock("slugs", transaction);
  return (await modelOf(type, transaction).count({ where: { slug }, transaction })) === 0;
}

/** Derives a free slug from the title, or from the row's id if the title has no letters or digits. */
export async function deriveSlug(
  type: ContentType,
  title: string,
  transaction: Transaction,
): Promise<string> {
  await takeTransactionLock("slugs", transaction);
  const wanted =
    slugOf(title) || `${type}-${await nextIdOf(modelOf(type, transaction), transaction)}`;
  const where = { slug: { [Op.startsWith]: numberedSlugPrefixOf(wanted) } };
  const read = { attributes: ["slug"], where, transaction };
  const alike = await modelOf(type, transaction).findAll(read);
  const taken = new Set(alike.map((text) => text.get("slug")));
  let slug = wanted;
  for (let number = 2; taken.has(slug) || isReserved(type, slug); number++) {
    slug = appendSlugNumber(wanted, number);
  }
  return slug;
}

/** Returns the id that the table's next row gets. The transaction must hold the lock that all inserts take. */
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
