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
    summary: "List the houses in danger of collapsing",
    description:
      "Returns every house in the decay stage `IDOC` (in danger of collapsing), sorted by " +
      "serial. `name` and `region` are left out for callers below the audience that their field " +
      "rules set. The data comes from the service's own database, so it is also available while " +
      "the shard is down.",
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
    summary: "List all houses",
    description:
      "Returns all houses, sorted by name. The list is not divided into pages. For moderators, " +
      "`ownerAcct` is always null. The data comes from the service's own database, so it is also " +
      "available while the shard is down.",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHouses(caller.role === "admin", context),
  }),
];
