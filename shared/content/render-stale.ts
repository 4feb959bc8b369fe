import { Op, type Transaction } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Rendered, rendererVersion, renderMarkdown } from "./markdown/render.ts";
import { slugFinder } from "./page-slugs.ts";

/**
 * Renders anew what an older version of the renderer made, one text a transaction. Nobody changed
 * the text: its revision and times stay. @returns how many
 */
export async function renderStaleTexts(
  context: Pick<Context, "sequelize" | "models">,
): Promise<{ rendered: number }> {
  let rendered = 0;
  for (const table of tablesOf(context.models)) {
    while (await renderNext(table, context)) rendered += 1;
  }
  return { rendered };
}

interface StaleText {
  readonly body: string;
  update(columns: object, options: { readonly transaction: Transaction }): Promise<unknown>;
}

/** Texts of one kind, and the columns that the renderer fills. */
interface TextTable {
  readonly find: (options: ReturnType<typeof staleIn>) => Promise<StaleText | null>;
  readonly columnsOf: (rendered: Rendered) => object;
}

const tablesOf = ({ Post, WikiPage, Page }: Models): TextTable[] => [
  {
    find: (options) => Post.findOne(options),
    columnsOf: ({ html, excerpt }) => ({ bodyHtml: html, autoExcerpt: excerpt }),
  },
  {
    find: (options) => WikiPage.findOne(options),
    columnsOf: ({ html, toc }) => ({ bodyHtml: html, toc }),
  },
  {
    find: (options) => Page.findOne(options),
    columnsOf: ({ html }) => ({ bodyHtml: html }),
  },
];

const staleIn = (transaction: Transaction) => ({
  where: { renderer: { [Op.lt]: rendererVersion } },
  transaction,
  lock: transaction.LOCK.NO_KEY_UPDATE,
  skipLocked: true,
});

/** @returns whether there was one */
const renderNext = (
  { find, columnsOf }: TextTable,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<boolean> =>
  inTransaction(sequelize, async (transaction) => {
    const text = await find(staleIn(transaction));
    if (!text) return false;
    const rendered = await renderMarkdown(text.body, slugFinder(models, transaction));
    await text.update({ ...columnsOf(rendered), renderer: rendererVersion }, { transaction });
    return true;
  });
