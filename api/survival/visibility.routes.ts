import {
  changeVisibility,
  readVisibilityConfig,
} from "../../shared/survival/visibility/change-visibility.ts";
import { survivalVisibilityChange } from "../../shared/survival/visibility/visibility-update.ts";
import { route } from "../http/route.ts";
import { viewVisibility } from "./admin-views.ts";

const common = {
  gate: "roles:admin",
  set: "core",
  tag: "Survival staff",
  path: "/api/v1/admin/survival/visibility",
} as const;

/** Who sees what of the survival servers. */
export const survivalVisibilityRoutes = [
  route({
    ...common,
    method: "get",
    summary: "Get the visibility settings of survival servers",
    description:
      "Returns the audience for each kind of data of survival servers, the default audiences, " +
      "and which monuments the maps show.",
    answers: { 200: "SurvivalVisibilityConfig" },
    handle: async (_input, context) => viewVisibility(await readVisibilityConfig(context)),
  }),
  route({
    ...common,
    method: "put",
    summary: "Change the visibility settings of survival servers",
    description:
      "Omitted keys keep their values; null restores the default. The change takes effect " +
      "immediately; if one value is refused, nothing changes. Recorded in the activity log as " +
      "`survival.visibility.changed`. 400 for an unknown key or audience, for a monument label " +
      "that the settings do not list, or for an audience below `staff` for the layers `players` " +
      "and `bases`.",
    body: survivalVisibilityChange,
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
