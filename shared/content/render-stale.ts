import { Op, type Transaction } from "sequelize";

import type { Context } from "../platform/context.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import {
  type RenderedText,
  rendererVersion,
  renderMarkdown,
  digestRenderRules,
  renderedColumns,
} from "./markdown/render.ts";
import { makeRenderContext } from "./render-context.ts";
import { indexPage, foldPostTexts, indexPost, indexWikiPage } from "./search/entries.ts";
import { foldText } from "./text/fold.ts";

type Stores = Pick<Context, "sequelize" | "models" | "config">;

/** Ids per query. */
const batch = 100;

/**
 * Renders and indexes stale texts again. Each text has its own transaction, which skips rows locked by editors,
 * so an editor waits for one rendering at most. If the run is killed, the next run continues. Revisions and
 * times of the texts do not change.
 * @param signal ends the run between two texts
 * @throws AggregateError at the end if some texts could not be rendered
 */
export async function renderStaleTexts(
  stores: Stores,
  signal?: AbortSignal,
): Promise<{ rendered: number }> {
  const failures: unknown[] = [];
  let rendered = 0;
  for (const makeTable of [postTable, wikiTable, pageTable]) {
    const table = makeTable(stores);
    for await (const id of staleIds(table)) {
      if (signal?.aborted) break;
      try {
        rendered += (await renderOne(table, id, stores)) ? 1 : 0;
      } catch (error) {
        failures.push(new Error(`${table.name} ${id} cannot be rendered`, { cause: error }));
      }
    }
  }
  if (failures.length === 0) return { rendered };
  throw new AggregateError(
    failures,
    failures.map((staleById) => (staleById as Error).message).join("; "),
  );
}

interface StaleText {
  readonly body: string;
  readonly store: (rendered: RenderedText) => Promise<void>;
}

/** The texts of one kind. */
interface TextTable {
  readonly name: string;
  /** Returns the next batch of stale ids above an id. */
  readonly listStale: (after: number) => Promise<number[]>;
  /** Locks and returns a text; null if it is no longer stale or another transaction has locked it. */
  readonly hold: (id: number, transaction: Transaction) => Promise<StaleText | null>;
}

async function* staleIds({ listStale }: TextTable): AsyncGenerator<number> {
  let ids = await listStale(0);
  while (ids.length > 0) {
    yield* ids;
    ids = await listStale(ids.at(-1) ?? 0);
  }
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

/** Matches stale texts. A newer release can run at the same time, and its texts are not stale. */
const isStale = (config: Stores["config"]) => ({
  [Op.or]: [
    { renderer: { [Op.lt]: rendererVersion } },
    { renderer: rendererVersion, renderRules: { [Op.ne]: digestRenderRules(config) } },
  ],
});

const staleAfter = (id: number, { config }: Stores) => ({
  attributes: ["id"],
  where: { ...isStale(config), id: { [Op.gt]: id } },
  order: ["id"],
  limit: batch,
});

const staleById = (id: number, transaction: Transaction, { config }: Stores) => ({
  where: { ...isStale(config), id },
  transaction,
  lock: transaction.LOCK.NO_KEY_UPDATE,
  skipLocked: true,
});

const postTable = (stores: Stores): TextTable => ({
  name: "post",
  listStale: async (after) => idsOf(await stores.models.Post.findAll(staleAfter(after, stores))),
  hold: async (id, transaction) => {
    const post = await stores.models.Post.findOne(staleById(id, transaction, stores));
    const store = async (rendered: RenderedText) => {
      if (!post) return;
      post.set(renderedColumns(rendered, `post-${post.slug}`, stores.config));
      post.set({ autoExcerpt: rendered.excerpt });
      post.set({ folded: foldPostTexts(post) });
      await post.save({ transaction });
      await indexPost(post, rendered.text, transaction);
    };
    return post && { body: post.body, store };
  },
});

const wikiTable = (stores: Stores): TextTable => ({
  name: "wiki page",
  listStale: async (after) =>
    idsOf(await stores.models.WikiPage.findAll(staleAfter(after, stores))),
  hold: async (id, transaction) => {
    const page = await stores.models.WikiPage.findOne(staleById(id, transaction, stores));
    const store = async (rendered: RenderedText) => {
      if (!page) return;
      page.set(renderedColumns(rendered, `wiki-${page.slug}`, stores.config));
      page.set({ toc: rendered.toc, folded: foldText(page.title) });
      await page.save({ transaction });
      await indexWikiPage(page, rendered.text, transaction);
    };
    return page && { body: page.body, store };
  },
});

const pageTable = (stores: Stores): TextTable => ({
  name: "page",
  listStale: async (after) => idsOf(await stores.models.Page.findAll(staleAfter(after, stores))),
  hold: async (id, transaction) => {
    const page = await stores.models.Page.findOne(staleById(id, transaction, stores));
    const store = async (rendered: RenderedText) => {
      if (!page) return;
      await page.update(renderedColumns(rendered, `page-${page.slug}`, stores.config), {
        transaction,
      });
      await indexPage(page, rendered.text, transaction);
    };
    return page && { body: page.body, store };
  },
});

/** @returns true if the text was still stale */
const renderOne = ({ hold }: TextTable, id: number, stores: Stores): Promise<boolean> =>
  inTransaction(stores.sequelize, async (transaction) => {
    const text = await hold(id, transaction);
    if (!text) return false;
    await text.store(await renderMarkdown(text.body, makeRenderContext(stores, transaction)));
    return true;
  });
