import Joi from "joi";

import type { Caller } from "../../shared/platform/access/caller.ts";
import { limits } from "../../shared/platform/limits.ts";
import type { MarketFilters } from "../../shared/shard/market/filters.ts";
import {
  changeSearch,
  findSearch,
  listSearches,
  removeSearch,
  saveSearch,
  type SearchFields,
  viewSearch,
} from "../../shared/shard/searches/saved-searches.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { marketFilters } from "./market-filters.ts";

const common = { gate: "auth", set: "additive", tag: "Shard player" } as const;

const filterNames = Object.keys(marketFilters);

const fields = {
  name: proseField(limits.marketSearchName).description("Name under which lists show the search."),
  query: Joi.object<MarketFilters>(marketFilters)
    .or(...filterNames)
    .messages({
      "object.missing": `{{#label}} must contain at least one of ${filterNames.join(", ")}`,
    })
    .description("Filters of the market search. At least one filter is required."),
  enabled: Joi.boolean().description(
    "Whether the site sends push messages for new matches. If absent, a new search is enabled.",
  ),
};

const example = { name: "Cheap katanas", query: { q: "katana", maxPrice: 5_000 }, enabled: true };

interface ById {
  readonly params: { readonly id: number };
  readonly caller: Caller;
}

const findOwn = ({ params, caller }: ById, context: ApiContext) =>
  findSearch(params.id, caller, context);

const oneSearch = { enveloped: "search", shape: "SavedSearch" } as const;

export const marketSearchesRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SavedSearch:
   *       type: object
   *       additionalProperties: false
   *       required: [id, name, query, enabled, created_at, last_match_at]
   *       properties:
   *         id: { type: integer }
   *         name: { type: string, example: Cheap katanas in Luna }
   *         query:
   *           type: object
   *           description: Filters of the market search. Absent filters do not restrict the search.
   *           additionalProperties: false
   *           properties:
   *             q: { type: string, example: katana }
   *             minPrice: { type: integer, description: Lowest price in coins. }
   *             maxPrice: { type: integer, description: Highest price in coins., example: 5000 }
   *             itemId: { type: integer, description: Id of the item's graphic in the game client. }
   *             map: { type: string, example: Malas }
   *             region: { type: string, example: Luna }
   *         enabled: { type: boolean, description: Whether the site sends push messages for new matches. }
   *         created_at: { type: string, format: date-time }
   *         last_match_at:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             When a listing last began to match the search. Null if no listing has begun to
   *             match since the search was saved.
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/player/market/searches",
    summary: "List the caller's saved market searches",
    description: "Returns all saved searches of the caller, at most 20, oldest first.",
    answers: { 200: { enveloped: "searches", shape: { listOf: "SavedSearch" } } },
    handle: async ({ caller }, context) => ({
      searches: (await listSearches(caller, context)).map(viewSearch),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/player/market/searches",
    summary: "Save a market search",
    description:
      "Stores the search. When another player's listing is added, repriced or renamed and then " +
      "matches the search, the site sends the user a push message on the stream `market.match`, " +
      "with the id of the search as `ref`. The site sends at most one message per search in 15 " +
      "minutes. A search with `map` or `region` finds matches only while the user may see the " +
      "locations of vendors. 409 `search_limit_reached` if the user has 20 saved searches, 429 " +
      "`rate_limited` after too many new searches within an hour. If the same request is sent " +
      "again, it saves a second search.",
    body: Joi.object<SearchFields>({
      ...fields,
      name: fields.name.required(),
      query: fields.query.required(),
    }).example(example),
    limiters: ["marketSave"],
    answers: { 201: oneSearch, 409: "Error", 429: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, { search: viewSearch(await saveSearch(body, caller, context)) }),
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/player/market/searches/:id",
    summary: "Change a saved market search",
    description:
      "Fields that the request does not contain keep their values. `query` replaces all former " +
      "filters. Listings that already match the search at the time of the change cause no push " +
      "message. 404 `not_found` if the search is unknown or belongs to another user.",
    params: rowIdParams,
    body: Joi.object<Partial<SearchFields>>(fields).example({ enabled: false }),
    answers: { 200: oneSearch, 404: "Error" },
    find: findOwn,
    handle: async ({ found, body }, context) => ({
      search: viewSearch(await changeSearch(found, body, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/player/market/searches/:id",
    summary: "Delete a saved market search",
    description:
      "Deletes the search and returns its id. 404 `not_found` if the search is unknown, belongs " +
      "to another user or was already deleted.",
    params: rowIdParams,
    answers: { 200: "DeletedId", 404: "Error" },
    find: findOwn,
    handle: async ({ found }, context) => {
      await removeSearch(found, context);
      return { id: found.id };
    },
  }),
];
