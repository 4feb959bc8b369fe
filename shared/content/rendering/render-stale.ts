import { Op, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { type Rendered, rendererVersion, renderMarkdown } from "../markdown/render.ts";
import { indexPage } from "../pages/index-page.ts";
import { foldedOf, indexPost } from "../posts/index-post.ts";
import { textSite } from "../text-site.ts";
import { indexWikiPage } from "../wiki/index-wiki-page.ts";

type Stores = Pick<Context, "sequelize" | "models" | "config">;

/**
 * Renders anew what an older version of the renderer made, one text a transaction, and lets it be found
 * by what it says now. Nobody changed the text: its revision and times stay.
 * @returns how many
 * @throws AggregateError where some cannot be rendered, once all others are
 */
export async function renderStaleTexts(stores: Stores): Promise<{ rendered: number }> {
  const failures: unknown[] = [];
  let rendered = 0;
  for (const table of tablesOf(stores.models)) {
    for (const id of await table.listStale()) {
      try {
        rendered += (await renderOne(table, id, stores)) ? 1 : 0;
      } catch (error) {
        failures.push(new Error(`${table.name} ${id} cannot be rendered`, { cause: error }));
      }
    }
  }
  if (failures.length === 0) return { rendered };
  throw new AggregateError(failures, failures.map((one) => (one as Error).message).join("; "));
}

interface StaleText {
  readonly body: string;
  /** Stores what was made of it. */
  readonly store: (rendered: Rendered) => Promise<void>;
}

/** Texts of one kind. */
interface TextTable {
  readonly name: string;
  readonly listStale: () => Promise<number[]>;
  /** Holds one that is still stale, unless somebody else does. */
  readonly hold: (id: number, transaction: Transaction) => Promise<StaleText | null>;
}

const isStale = { renderer: { [Op.lt]: rendererVersion } };
const allStale = { attributes: ["id"], where: isStale, order: ["id"] };
const renderer = rendererVersion;

const one = (id: number, transaction: Transaction) => ({
  where: { ...isStale, id },
  transaction,
  lock: transaction.LOCK.NO_KEY_UPDATE,
  skipLocked: true,
});

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

const tablesOf = ({ Post, WikiPage, Page }: Models): TextTable[] => [
  {
    name: "post",
    listStale: async () => idsOf(await Post.findAll(allStale)),
    hold: async (id, transaction) => {
      const post = await Post.findOne(one(id, transaction));
      const store = async ({ html, excerpt, text }: Rendered) => {
        if (!post) return;
        post.set({ bodyHtml: html, autoExcerpt: excerpt, renderer });
        post.set({ folded: foldedOf(post) });
        await post.save({ transaction });
        await indexPost(post, text, transaction);
      };
      return post && { body: post.body, store };
    },
  },
  {
    name: "wiki page",
    listStale: async () => idsOf(await WikiPage.findAll(allStale)),
    hold: async (id, transaction) => {
      const page = await WikiPage.findOne(one(id, transaction));
      const store = async ({ html, toc, text }: Rendered) => {
        await page?.update({ bodyHtml: html, toc, renderer }, { transaction });
        if (page) await indexWikiPage(page, text, transaction);
      };
      return page && { body: page.body, store };
    },
  },
  {
    name: "page",
    listStale: async () => idsOf(await Page.findAll(allStale)),
    hold: async (id, transaction) => {
      const page = await Page.findOne(one(id, transaction));
      const store = async ({ html, text }: Rendered) => {
        await page?.update({ bodyHtml: html, renderer }, { transaction });
        if (page) await indexPage(page, text, transaction);
      };
      return page && { body: page.body, store };
    },
  },
];

/** @returns whether it was still to be rendered */
const renderOne = ({ hold }: TextTable, id: number, stores: Stores): Promise<boolean> =>
  inTransaction(stores.sequelize, async (transaction) => {
    const text = await hold(id, transaction);
    if (!text) return false;
    await text.store(await renderMarkdown(text.body, textSite(stores, transaction)));
    return true;
  });
