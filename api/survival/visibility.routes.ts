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
    summary: "Who sees what of the survival servers",
    answers: { 200: "SurvivalVisibilityConfig" },
    handle: async (_input, context) => viewVisibility(await readVisibilityConfig(context)),
  }),
  route({
    ...common,
    method: "put",
    summary: "Change who sees what of the survival servers",
    description:
      "Absent keys stay, null follows the default again. It is done whole or not at all: players and " +
      "bases are never opened below staff, a monument must stand on a map, and an unknown name is refused.",
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
