import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";

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

/** Sales of the vendors of a user's present game accounts, newest first. */
export const readSalesOf = (
  userId: number,
  limit: number,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<VendorSale[]> =>
  sequelize.query<VendorSale>(
    `select t, payload #>> '{item,itemType}' as "itemType",
       (payload #>> '{item,amount}')::integer as amount, (payload ->> 'price')::integer as price,
       (payload ->> 'commission')::integer as commission, payload ->> 'ownerAcct' as "ownerAcct"
     from shard_events
     where kind = 'vendor.sale' and lower(payload ->> 'ownerAcct') = any(
       array(select account_key from shard_links where user_id = $1))
     order by t desc, id desc limit $2`,
    { bind: [userId, limit], type: QueryTypes.SELECT },
  );
