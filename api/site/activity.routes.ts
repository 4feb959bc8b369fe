import Joi from "joi";

import { type ActivitySearch, readActivity } from "../../shared/activity/activity-log.ts";
import { limits } from "../../shared/limits.ts";
import { idField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewActivity } from "./views.ts";

// A form sends its empty fields along: they ask for nothing.
const rowId = idField.empty("");

export const activityRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/activity",
    gate: "roles:admin",
    set: "additive",
    tag: "Users",
    summary: "The activity log, latest first",
    description: "`nextBefore` is the cursor of the next page; null at the end.",
    query: Joi.object<ActivitySearch>({
      actor: rowId.description("User id of who did it."),
      action: Joi.string()
        .empty("")
        .max(100)
        .description("An action, or how actions begin: `auth.login`."),
      before: rowId.description("Only lines older than this id."),
      limit: limitField(limits.activityPage),
    }),
    answers: { 200: "ActivityPage" },
    handle: async ({ query }, context) => {
      const { lines, nextBefore } = await readActivity(query, context);
      return { activity: lines.map(viewActivity), nextBefore };
    },
  }),
];
