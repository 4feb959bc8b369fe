import Joi from "joi";

import {
  readVisibilityConfig,
  saveVisibility,
} from "../../shared/shard/staff/visibility-config.ts";
import { featureChanges } from "../../shared/shard/visibility/visibility-update.ts";
import { route } from "../http/route.ts";

/**
 * Joi copies the body, and assigning `__proto__` to the copy sets its prototype instead of a field:
 * the name would slip through unchecked.
 */
const hasPrototype = (given: object): boolean =>
  Object.entries(given).some(
    ([name, item]) =>
      name === "__proto__" || (typeof item === "object" && item !== null && hasPrototype(item)),
  );

const features = Joi.object()
  .unknown()
  .custom((given: object, helpers) =>
    hasPrototype(helpers.original as object) ? helpers.error("features.prototype") : given,
  )
  .meta({ describedAs: () => featureChanges })
  .messages({ "features.prototype": "{{#label}} must not name __proto__" });

export const visibilityRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/shard/visibility",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "What each audience may see of the shard",
    answers: { 200: "VisibilityConfig" },
    handle: (_input, context) => readVisibilityConfig(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/visibility",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Change what each audience may see",
    description:
      "Keys that are left out stay, null resets. An unknown or locked name refuses the whole update.",
    body: Joi.object<{ features: object }, true>({ features: features.required() }).example({
      features: { guilds: { audience: "anonymous", fieldRules: { members: null } } },
    }),
    unknownFields: "refused",
    basedOn: {
      when: "optional",
      as: "hash",
      current: (_input, context) => readVisibilityConfig(context),
    },
    answers: { 200: "VisibilityConfig" },
    handle: ({ body, caller }, context) => saveVisibility(body, caller, context),
  }),
];
