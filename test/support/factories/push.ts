import type { Attributes, CreationAttributes, WhereOptions } from "sequelize";

import type { MarketSearch } from "../../../models/market/market-search.ts";
import type { PushDevice } from "../../../models/push/push-device.ts";
import type { Push } from "../../../models/push/push.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import { readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { DatabaseHolder } from "../database/query.ts";

/** Inserts a push. By default it is for everybody, expires in an hour and has no job. */
export const buildPush = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<Push>> & Pick<Push, "stream" | "ref">,
): Promise<Push> =>
  context.models.Push.create({
    eventKey: `${given.stream} ${given.ref}`,
    expiresAt: clockNowPlus(3_600_000),
    ...given,
  });

/** Returns the pushes, oldest first. */
export const pushesOf = <Column extends keyof Attributes<Push>>(
  { context }: DatabaseHolder,
  where: WhereOptions<Push>,
  columns: readonly Column[],
): Promise<Pick<Push, Column>[]> =>
  readPlainRows(context.models.Push, { where, columns, computed: {}, order: ["id"] });

/** Changes only the row of a device. A change by the service would have further effects. */
export const changeDevice = async (
  { context }: DatabaseHolder,
  id: number,
  changes: Partial<Attributes<PushDevice>>,
): Promise<void> => void (await context.models.PushDevice.update(changes, { where: { id } }));

export const changeSearches = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<MarketSearch>>,
): Promise<void> => void (await context.models.MarketSearch.update(changes, { where: {} }));
