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
    summary: "List the activity log",
    description:
      "Newest first. For the next page, send `nextBefore` of the response as `before`; it is " +
      "null on the last page.",
    query: Joi.object<ActivitySearch>({
      actor: rowId.description("Only actions of the user with this id."),
      action: Joi.string()
        .empty("")
        .max(100)
        .description("An action or its beginning: `auth.login` also finds `auth.login.failure`."),
      before: rowId.description("Cursor: only entries with a lower id."),
      limit: limitField(limits.activityPage),
    }),
    answers: { 200: "ActivityPage" },
    handle: async ({ query }, context) => {
      const { lines, nextBefore } = await readActivity(query, context);
      return { activity: lines.map(viewActivity), nextBefore };
    },
  }),
];
