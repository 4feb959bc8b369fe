import { readDashboard } from "../../shared/site/dashboard.ts";
import { route } from "../http/route.ts";

const dashboard = {
  method: "get",
  gate: "staff",
  tag: "Site",
  summary: "Retrieve the staff dashboard",
  description:
    "Returns counts of posts, users, open appeals, open help pages and failed jobs, and the " +
    "status of the shard. The data comes from the site's own database, so the operation also " +
    "works while the shard is down.",
  answers: { 200: "Dashboard" },
} as const;

export const dashboardRoutes = [
  route({
    ...dashboard,
    path: "/api/v1/dashboard",
    set: "core",
    handle: (_input, context) => readDashboard(context),
  }),
  route({
    ...dashboard,
    path: "/api/v1/admin/dashboard",
    set: "additive",
    handle: (_input, context) => readDashboard(context),
  }),
];
