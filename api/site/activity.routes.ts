import Joi from "joi";

import { type ActivitySearch, readActivity } from "../../shared/platform/activity/activity-log.ts";
import { limits } from "../../shared/platform/limits.ts";
import { idField, limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewActivity } from "./views.ts";

// HTML forms send empty fields, which mean "no filter".
const rowId = idField.empty("");

export const activityRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/admin/activity",
    gate: "roles:admin",
    set: "additive",
    tag: "Users",
    summary: "List the activity log",
    description:
      "Returns entries of the activity log, newest first. For the next page, send `nextBefore` " +
      "of the response as `before`. On the last page `nextBefore` is null.",
    query: Joi.object<ActivitySearch>({
      actor: rowId.description("Id of a user. Returns only actions of this user."),
      action: Joi.string()
        .empty("")
        .max(100)
        .description(
          "Name of an action, or the beginning of a name: `auth.login` also returns entries with " +
            "the action `auth.login.failure`.",
        ),
      before: rowId.description("Cursor for paging: returns only entries with a lower id."),
      limit: limitField(limits.activityPage),
    }),
    answers: { 200: "ActivityPage" },
    handle: async ({ query }, context) => {
      const { lines, nextBefore } = await readActivity(query, context);
      return { activity: lines.map(viewActivity), nextBefore };
    },
  }),
];
