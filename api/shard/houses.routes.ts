import { readHouses, readIdocHouses } from "../../shared/shard/public/houses.ts";
import { route } from "../http/route.ts";
import { callerMaySee } from "./may-see.ts";

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
    followsStream: true,
    handle: ({ caller }, context) =>
      readIdocHouses(callerMaySee("houses", caller, context), context),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/shard/houses",
    gate: "roles:admin,moderator",
    set: "core",
    tag: "Shard staff",
    summary: "All houses, by name",
    description: "Whose game account a house is on is shown to administrators alone.",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHouses(caller.role === "admin", context),
  }),
];
