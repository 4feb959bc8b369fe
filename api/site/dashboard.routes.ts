import { readDashboard } from "../../shared/site/dashboard.ts";
import { route } from "../http/route.ts";

const dashboard = {
  method: "get",
  gate: "staff",
  tag: "Site",
  summary: "What staff see at a glance",
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
