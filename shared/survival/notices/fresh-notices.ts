import type { Transaction } from "sequelize";

import type { SurvivalNotice } from "../../../models/survival/survival-notice.ts";
import { rows } from "../../db/rows.ts";
import type { Sql } from "../../db/sql.ts";
import type { SourcedNotice } from "./sourced-notice.ts";

/** Those that were not told before. */
export async function keepFresh(
  notices: readonly SourcedNotice[],
  within: Sql | Transaction,
): Promise<SourcedNotice[]> {
  const doubtful = notices.filter(({ isStoredOnce }) => !isStoredOnce);
  if (doubtful.length === 0) return [...notices];
  const added = await rows<Told>(within, note, [
    doubtful.map(({ source }) => source),
    doubtful.map(({ id }) => id),
    doubtful.map(({ key }) => key),
  ]);
  const left = new Set(
    added.map(({ source, trigger, eventKey }) => `${source} ${trigger} ${eventKey}`),
  );
  // One that comes twice at once is fresh for the first alone.
  return notices.filter(
    ({ isStoredOnce, source, id, key }) => isStoredOnce || left.delete(`${source} ${id} ${key}`),
  );
}

type Told = Pick<SurvivalNotice, "source" | "trigger" | "eventKey">;

const note = `
  insert into survival_notices (source, trigger, event_key)
  select * from unnest($1::text[], $2::text[], $3::text[]) as given (source, trigger, event_key)
  order by 1, 2, 3
  on conflict do nothing
  returning source, trigger, event_key as "eventKey"`;
