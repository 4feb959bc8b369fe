import { analyze } from "../../platform/db/analyze.ts";
import type { Database } from "../../platform/db/rows.ts";
import { resolveNames } from "./label-usage.ts";
import { searchText } from "./label.ts";
import { raiseVersion, readClilocLabels, renameLabels, type StoredLabel } from "./labels-sql.ts";
import { waitForMarket } from "./vendors-sql.ts";

/** Labels that are read and named at once, so that memory does not grow with the table. */
const sliceSize = 2_000;

/**
 * Names everything anew by the cliloc table as the transaction sees it; it belongs into the one
 * that changes the table. Only labels whose name changed are written.
 * @returns how many labels have another name now
 */
export async function reresolveNames(database: Database): Promise<number> {
  await waitForMarket(database);
  let renamed = 0;
  for (let last = 0; ;) {
    const labels = await readClilocLabels(last, sliceSize, database);
    renamed += await renameSlice(labels, database);
    const end = labels.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (renamed === 0) return 0;
  await raiseVersion(database);
  await analyze(["listings (search_name)", "listing_labels", "listing_names"], database);
  return renamed;
}

async function renameSlice(labels: readonly StoredLabel[], database: Database): Promise<number> {
  const names = await resolveNames(labels, database);
  const renames = labels.flatMap(({ id, displayName }, at) => {
    const name = names[at] ?? null;
    return name === displayName
      ? []
      : [{ id, displayName: name, searchName: name && searchText(name) }];
  });
  await renameLabels(renames, database);
  return renames.length;
}
