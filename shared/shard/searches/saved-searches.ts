import type { MarketSearch } from "../../../models/market/market-search.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { lockUser } from "../../auth/users/users.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError, notFoundError, unauthenticatedError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import type { ShardContext } from "../context.ts";
import type { MarketFilters } from "../market/filters.ts";
import { rarestTermOf } from "./terms.ts";

export interface SearchFields {
  readonly name: string;
  readonly query: MarketFilters;
  readonly enabled?: boolean;
}

type Owner = Pick<Caller, "userId">;

/** Lists the user's searches, oldest first. */
export const listSearches = (
  { userId }: Owner,
  { models }: Pick<Context, "models">,
): Promise<MarketSearch[]> => models.MarketSearch.findAll({ where: { userId }, order: ["id"] });

/** @throws AppError search_limit_reached */
export function saveSearch(
  { name, query, enabled = true }: SearchFields,
  { userId }: Owner,
  { sequelize, models: { MarketSearch: Searches } }: ShardContext,
): Promise<MarketSearch> {
  return inCallersTransaction(sequelize, async (transaction) => {
    // The lock keeps concurrent requests from exceeding the limit.
    if (!(await lockUser(userId, transaction))) throw unauthenticatedError();
    const saved = await Searches.count({ where: { userId }, transaction });
    if (saved >= limits.marketSearches) {
      throw new AppError("search_limit_reached", "Too many saved searches");
    }
    const row = { userId, name, ...columnsOf(query), enabled, lastMatchAt: null, lastPushAt: null };
    const search = await Searches.create(row, { transaction });
    return search.reload({ transaction });
  });
}

/** Finds a search. @throws AppError 404 if the caller does not own it */
export async function findSearch(
  id: number,
  { userId }: Owner,
  { models }: Pick<Context, "models">,
): Promise<MarketSearch> {
  const search = await models.MarketSearch.findOne({ where: { id: matchClientId(id), userId } });
  if (!search) throw unknown();
  return search;
}

/** Changes the given fields. A new query replaces the old one. @throws AppError 404 if the search was removed */
export function changeSearch(
  { id }: MarketSearch,
  { query, ...fields }: Partial<SearchFields>,
  { sequelize, models }: Context,
): Promise<MarketSearch> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const search = await models.MarketSearch.findByPk(id, { transaction, lock });
    if (!search) throw unknown();
    return search.update({ ...fields, ...(query && columnsOf(query)) }, { transaction });
  });
}

/** @throws AppError 404 if the search no longer exists */
export async function removeSearch(
  { id }: MarketSearch,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<void> {
  await inCallersTransaction(sequelize, async (transaction) => {
    const where = { id };
    if ((await models.MarketSearch.destroy({ where, transaction })) === 0) throw unknown();
  });
}

const unknown = (): AppError => notFoundError("Unknown search");

const columnsOf = (query: MarketFilters): Pick<MarketSearch, "query" | "term"> => ({
  query: { ...query },
  term: rarestTermOf(query),
});

export const viewSearch = (search: MarketSearch) => ({
  id: search.id,
  name: search.name,
  query: search.query,
  enabled: search.enabled,
  created_at: search.createdAt,
  last_match_at: search.lastMatchAt,
});

/** Reads the saved searches of a user for the user's data export. */
export const readOwnSearches = async (
  userId: number,
  context: Pick<Context, "models">,
): Promise<object[]> => (await listSearches({ userId }, context)).map(viewSearch);
