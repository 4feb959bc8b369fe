import {
  changeVisibility,
  readVisibilityConfig,
} from "../../shared/survival/visibility/change-visibility.ts";
import { survivalVisibilityUpdateSchema } from "../../shared/survival/visibility/visibility-update.ts";
import { defineRoute } from "../http/route.ts";
import { viewVisibility } from "./admin-views.ts";

const common = {
  gate: "roles:admin",
  set: "core",
  tag: "Survival staff",
  path: "/api/v1/admin/survival/visibility",
} as const;

export const survivalVisibilityRoutes = [
  defineRoute({
    ...common,
    method: "get",
    summary: "Get the visibility settings of survival servers",
    description:
      "Returns the audience for each kind of data about survival servers, the default audiences, " +
      "and which monuments the maps show.",
    answers: { 200: "SurvivalVisibilityConfig" },
    handle: async (_input, context) => viewVisibility(await readVisibilityConfig(context)),
  }),
  defineRoute({
    ...common,
    method: "put",
    summary: "Change the visibility settings of survival servers",
    description:
      "Settings that the request omits keep their values. Null restores the default of a " +
      "setting. The change takes effect immediately. If one value is invalid, nothing changes. " +
      "The activity log records the request as `survival.visibility.changed`. 400 if a setting " +
      "or audience is unknown, if `monuments` contains a label that the settings do not list, or " +
      "if the audience of the layers `players` or `bases` is below `staff`.",
    body: survivalVisibilityUpdateSchema,
    unknownFields: "refused",
    basedOn: {
      when: "optional",
      as: "hash",
      current: async (_input, context) => viewVisibility(await readVisibilityConfig(context)),
    },
    answers: { 200: "SurvivalVisibilityConfig" },
    handle: async ({ body, caller }, context) =>
      viewVisibility(await changeVisibility(body, caller, context)),
  }),
];
