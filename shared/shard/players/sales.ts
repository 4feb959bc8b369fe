import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { type Database, rows } from "../../platform/db/rows.ts";

export interface VendorSale {
  /** Epoch milliseconds, by the shard's clock. */
  readonly t: number;
  readonly itemType: string;
  readonly amount: number;
  readonly price: number;
  readonly commission: number | null;
  readonly ownerAcct: string;
}

type SalesContext = Pick<Context, "sequelize">;

/** Reads sales of the vendors on the game accounts that a user has linked now, newest first. */
export async function readSalesOf(
  userId: number,
  limit: number,
  { sequelize }: SalesContext,
): Promise<VendorSale[]> {
  return (await findSales(userId, { limit }, sequelize)).map(viewSale);
}

interface StoredSale extends Pick<ShardEvent, "id" | "t"> {
  readonly payload: SalePayload;
}

interface SalePayload extends Pick<VendorSale, "price" | "ownerAcct"> {
  readonly item: Pick<VendorSale, "itemType" | "amount">;
  readonly commission?: number | null;
}

const pageLength = 1_000;

/** Yields all sales of the vendors on the game accounts that a user has linked now, newest first, in pages. */
export async function* pageSalesOf(
  userId: number,
  { sequelize }: SalesContext,
): AsyncGenerator<VendorSale[]> {
  let before: StoredSale | undefined;
  do {
    const sales = await findSales(userId, { limit: pageLength, before }, sequelize);
    yield sales.map(viewSale);
    before = sales.length === pageLength ? sales.at(-1) : undefined;
  } while (before);
}

/** Selects sales by the index on the key of their owner. */
const findSales = (
  userId: number,
  { limit, before }: { readonly limit: number; readonly before?: StoredSale | undefined },
  database: Database,
): Promise<StoredSale[]> =>
  rows<StoredSale>(
    database,
    // The cast to bigint avoids an error for an id above the range of user ids.
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
