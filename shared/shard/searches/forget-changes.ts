import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";

/** Changed listings that wait to be matched at the most: hours of a busy market, some 50 MB. */
const mostWaiting = 500_000;

/**
 * Forgets the oldest changes of listings where nobody has matched them with saved searches for long:
 * what writes them must not fill the disk while no worker takes them.
 */
export async function forgetChanges({ sequelize }: Pick<Context, "sequelize">): Promise<void> {
  await countChanged(sequelize, forget, [mostWaiting]);
}

/** Ids grow with time, and none is skipped for long. */
const forget = `
  delete from listing_news where id <= (select max(id) from listing_news) - $1::bigint`;
