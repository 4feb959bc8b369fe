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
    summary: "Get the visibility of the shard's features",
    description:
      "Returns, for each feature, the audience that reaches it, whether its events go out on " +
      "the public stream, and the field rules: as compiled (`defaults`) and as they apply now " +
      "(`features`).",
    answers: { 200: "VisibilityConfig" },
    handle: (_input, context) => readVisibilityConfig(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/visibility",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Change the visibility of the shard's features",
    description:
      "Keys that are left out keep their value; null sets a key, or a whole feature, back to " +
      "its default. The change applies to open streams too. 400 `validation_failed` names every " +
      "unknown feature, key and rung and every locked field, and then nothing changes. The " +
      "activity log records it as `visibility.updated`.",
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
