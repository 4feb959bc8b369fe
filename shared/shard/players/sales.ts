import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { type Database, rows } from "../../platform/db/rows.ts";

/** What one of a user's vendors sold. */
export interface VendorSale {
  /** Epoch milliseconds, by the shard's clock. */
  readonly t: number;
  readonly itemType: string;
  readonly amount: number;
  readonly price: number;
  readonly commission: number | null;
  readonly ownerAcct: string;
}

type Ground = Pick<Context, "sequelize">;

/** Sales of the vendors of a user's present game accounts, newest first. */
export async function readSalesOf(
  userId: number,
  limit: number,
  { sequelize }: Ground,
): Promise<VendorSale[]> {
  return (await findSales(userId, { limit }, sequelize)).map(viewSale);
}

/** A sale as it is stored. */
interface StoredSale extends Pick<ShardEvent, "id" | "t"> {
  readonly payload: SalePayload;
}

interface SalePayload extends Pick<VendorSale, "price" | "ownerAcct"> {
  readonly item: Pick<VendorSale, "itemType" | "amount">;
  readonly commission?: number | null;
}

/** Sales a page holds. */
const pageLength = 1_000;

/** All sales of the vendors of a user's present game accounts, newest first, page by page. */
export async function* pageSalesOf(
  userId: number,
  { sequelize }: Ground,
): AsyncGenerator<VendorSale[]> {
  let before: StoredSale | undefined;
  do {
    const sales = await findSales(userId, { limit: pageLength, before }, sequelize);
    yield sales.map(viewSale);
    before = sales.length === pageLength ? sales.at(-1) : undefined;
  } while (before);
}

/** By the index of sales, which holds them by their owner's key. */
const findSales = (
  userId: number,
  { limit, before }: { readonly limit: number; readonly before?: StoredSale | undefined },
  database: Database,
): Promise<StoredSale[]> =>
  rows<StoredSale>(
    database,
    // An id that is too large for a user names nobody, and is no error.
    `select sale.id, sale.t, sale.payload
     from shard_links link
     join shard_events sale on sale.kind = 'vendor.sale'
       and lower(sale.payload ->> 'ownerAcct') = link.account_key
     where link.user_id = $1::bigint
       and ($3::bigint is null or (sale.t, sale.id) < ($3, $4::bigint))
     order by sale.t desc, sale.id desc limit $2`,
    [userId, limit, before?.t, before?.id],
  );

const viewSale = ({ t, payload }: StoredSale): VendorSale => {
  const { item, price, commission = null, ownerAcct } = payload;
  const { itemType, amount } = item;
  return { t, itemType, amount, price, commission, ownerAcct };
};
