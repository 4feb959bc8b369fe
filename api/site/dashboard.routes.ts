import { readDashboard } from "../../shared/site/dashboard.ts";
import { defineRoute } from "../http/route.ts";

const dashboard = {
  method: "get",
  gate: "staff",
  tag: "Site",
  summary: "Retrieve the staff dashboard",
  description:
    "Returns counts of posts, users, open appeals, reports, open help pages and failed jobs, and the " +
    "status of the shard. The data comes from the site's own database, so the operation also " +
    "works while the shard is down.",
  answers: { 200: "Dashboard" },
} as const;

export const dashboardRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     Dashboard:
   *       type: object
   *       additionalProperties: false
   *       required: [posts, users, appeals, reports, pages, shard, jobs]
   *       properties:
   *         posts:
   *           type: object
   *           additionalProperties: false
   *           required: [published, draft, scheduled, latest]
   *           properties:
   *             published: { type: integer }
   *             draft: { type: integer }
   *             scheduled: { type: integer }
   *             latest:
   *               type: array
   *               description: The five posts that were most recently published.
   *               items:
   *                 type: object
   *                 additionalProperties: false
   *                 required: [id, slug, title, publishedAt]
   *                 properties:
   *                   id: { type: integer }
   *                   slug: { type: string, example: the-gates-open }
   *                   title: { type: string }
   *                   publishedAt: { type: string, format: date-time }
   *         users:
   *           type: object
   *           additionalProperties: false
   *           required: [total, active7d, new7d, byRole]
   *           properties:
   *             total: { type: integer }
   *             active7d: { type: integer, description: Number of users who have signed in within the last seven days. }
   *             new7d: { type: integer }
   *             byRole:
   *               type: object
   *               additionalProperties: false
   *               required: [admin, editor, moderator, player]
   *               properties:
   *                 admin: { type: integer }
   *                 editor: { type: integer }
   *                 moderator: { type: integer }
   *                 player: { type: integer }
   *         appeals:
   *           type: object
   *           additionalProperties: false
   *           required: [open]
   *           properties:
   *             open: { type: integer, description: Number of appeals that wait for a decision. }
   *         reports:
   *           type: object
   *           description: Reports of players of survival servers that are not closed.
   *           additionalProperties: false
   *           required: [open, seen]
   *           properties:
   *             open: { type: integer, description: Number of reports that no staff member has read yet. }
   *             seen: { type: integer, example: 1, description: Number of reports that a staff member has read but not closed. }
   *         pages:
   *           type: object
   *           additionalProperties: false
   *           required: [open]
   *           properties:
   *             open: { type: integer, nullable: true, description: Number of open help pages (calls for help by players) in the game. Null if unknown. }
   *         shard: { $ref: '#/components/schemas/ShardStatus' }
   *         jobs:
   *           type: object
   *           additionalProperties: false
   *           required: [failed, oldestSeconds]
   *           properties:
   *             failed: { type: integer }
   *             oldestSeconds: { type: integer, nullable: true, description: How many seconds the oldest due job has been waiting. Null if no job is due. }
   */
  defineRoute({
    ...dashboard,
    path: "/api/v1/dashboard",
    set: "core",
    handle: (_input, context) => readDashboard(context),
  }),
  defineRoute({
    ...dashboard,
    path: "/api/v1/admin/dashboard",
    set: "additive",
    handle: (_input, context) => readDashboard(context),
  }),
];
