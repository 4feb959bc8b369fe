import { readPublicStatus } from "../../shared/site/public-status.ts";
import { route } from "../http/route.ts";

export const siteStatusRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/status",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Retrieve the site status",
    description:
      "Returns the site mode, the release and the state of the links to the game servers. The " +
      "operation works in every site mode and while game servers are down, so it is suitable as " +
      "a health check.",
    answers: { 200: "PublicStatus" },
    keepMs: 500,
    revalidate: true,
    handle: (_input, context) => readPublicStatus(context),
  }),
];
