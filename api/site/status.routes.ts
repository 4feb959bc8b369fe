import { readPublicStatus } from "../../shared/site/public-status.ts";
import { route } from "../http/route.ts";

export const siteStatusRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/status",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "State of the site",
    description: "Cheap, and answered while the shard is down: the health check of a deploy.",
    answers: { 200: "PublicStatus" },
    keepMs: 500,
    revalidate: true,
    handle: (_input, context) => readPublicStatus(context),
  }),
];
