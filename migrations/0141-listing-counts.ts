import type { QueryInterface } from "sequelize";

import {
  countFunction,
  countListings,
  least,
  levelFunction,
  type ListingEvent,
  listingEvents,
  lowest,
  most,
  recountFunction,
  updateCounts,
  updateSegments,
} from "./0125-market-counts.ts";

/** Returns SQL of a trigger function that returns at once if nothing changed or counts are paused. */
const countChangedListings = (event: ListingEvent): string =>
  countFunction(
    event,
    `if not exists (select from ${event === "delete" ? "went" : "came"})
      or exists (select from market_meta where counts_paused) then
      return null;
    end if;
    ${updateCounts(event)};
    with resized as (${updateSegments(event)} returning segment.key, segment.listings)
    update market_meta set segments_uneven = true
    where not segments_uneven and exists (select from resized
      where listings > ${most} or listings < ${least} and key > ${lowest});`,
  );

/**
 * Counts changed listings at less cost. PostgreSQL fires a statement trigger even if the statement changed no row,
 * so the triggers return at once. They note segments that became too long or too short, so that writers need
 * not scan all segments to find them. A writer that fills an empty market pauses the triggers and counts all
 * listings at the end.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table market_meta
      add column counts_paused boolean not null default false,
      -- True if at least one segment must be split or merged.
      add column segments_uneven boolean not null default true;
    ${listingEvents.map(countChangedListings).join("\n")}
    ${levelFunction("update market_meta set segments_uneven = false where segments_uneven;")}
    ${recountFunction("update market_meta set counts_paused = false where counts_paused;")}
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    ${listingEvents.map(countListings).join("\n")}
    ${levelFunction()}
    ${recountFunction()}
    alter table market_meta drop column counts_paused, drop column segments_uneven;
  `);
}
