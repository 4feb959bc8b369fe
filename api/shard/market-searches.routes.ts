import Joi from "joi";

import type { Caller } from "../../shared/auth/caller/caller.ts";
import { limits } from "../../shared/limits.ts";
import type { MarketFilters } from "../../shared/shard/market/filters.ts";
import { viewSearch } from "../../shared/shard/searches/own-searches.ts";
import {
  changeSearch,
  findSearch,
  listSearches,
  removeSearch,
  saveSearch,
  type SearchFields,
} from "../../shared/shard/searches/saved-searches.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { route } from "../http/route.ts";
import { marketFilters } from "./market-filters.ts";

const common = { gate: "auth", set: "additive", tag: "Shard player" } as const;

const filterNames = Object.keys(marketFilters);

const fields = {
  name: proseField(limits.marketSearchName).description("What lists call it."),
  query: Joi.object<MarketFilters>(marketFilters)
    .or(...filterNames)
    .messages({ "object.missing": `{{#label}} must hold one of ${filterNames.join(", ")}` })
    .description("As the market is searched; one of them at the least."),
  enabled: Joi.boolean().description("Whether to be told of matches: `true` when absent."),
};

const example = { name: "Cheap katanas", query: { q: "katana", maxPrice: 5_000 }, enabled: true };

interface ById {
  readonly params: { readonly id: number };
  readonly caller: Caller;
}

const findOwn = ({ params, caller }: ById, context: ApiContext) =>
  findSearch(params.id, caller, context);

const oneSearch = { enveloped: "search", shape: "SavedSearch" } as const;

/** Searches of the market that their owners are told of matches of. */
export const marketSearchesRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/player/market/searches",
    summary: "The caller's saved market searches, the oldest first",
    answers: { 200: { enveloped: "searches", shape: { listOf: "SavedSearch" } } },
    handle: async ({ caller }, context) => ({
      searches: (await listSearches(caller, context)).map(viewSearch),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/player/market/searches",
    summary: "Save a market search",
    description:
      "Its owner's devices are told (`market.match`, `ref` being its id) when a listing is put up " +
      "that matches, or comes to match by its price or name: once in 15 minutes, and never of what " +
      "the owner sells. 20 may be kept.",
    body: Joi.object<SearchFields>({
      ...fields,
      name: fields.name.required(),
      query: fields.query.required(),
    }).example(example),
    limiters: ["marketSave"],
    answers: { 201: oneSearch, 409: "Error", 429: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, { search: viewSearch(await saveSearch(body, caller, context)) }),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/player/market/searches/:id",
    summary: "Change a saved market search",
    description: "What is absent stays. A `query` replaces the former one whole.",
    params: byId,
    body: Joi.object<Partial<SearchFields>>(fields).example({ enabled: false }),
    answers: { 200: oneSearch, 404: "Error" },
    find: findOwn,
    handle: async ({ found, body }, context) => ({
      search: viewSearch(await changeSearch(found, body, context)),
    }),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/player/market/searches/:id",
    summary: "Remove a saved market search",
    params: byId,
    answers: { 200: "DeletedId", 404: "Error" },
    find: findOwn,
    handle: async ({ found }, context) => {
      await removeSearch(found, context);
      return { id: found.id };
    },
  }),
];
