import { readIdocHouses } from "../../shared/shard/houses.ts";
import { route } from "../http/route.ts";
import { seesOf } from "./sees.ts";

export const housesRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/shard/houses",
    gate: "feature:houses",
    set: "core",
    tag: "Shard",
    summary: "Houses in danger of collapsing",
    answers: { 200: { listOf: "PublicHouse" } },
    keepMs: 500,
    handle: ({ caller }, context) => readIdocHouses(seesOf("houses", caller, context), context),
  }),
];
