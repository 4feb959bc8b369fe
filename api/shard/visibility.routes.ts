import Joi from "joi";

import {
  readVisibilityConfig,
  saveVisibility,
} from "../../shared/shard/staff/visibility-config.ts";
import { featureUpdateSchemas } from "../../shared/shard/visibility/visibility-update.ts";
import { defineRoute } from "../http/route.ts";

/**
 * Returns true if the body has a field `__proto__`. Joi copies the body; copying this field would change the
 * prototype of the copy, which is not checked.
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
  .meta({ describedAs: () => featureUpdateSchemas })
  .messages({ "features.prototype": "{{#label}} must not name __proto__" });

export const visibilityRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     VisibilityConfig:
   *       type: object
   *       additionalProperties: false
   *       required: [ladder, lockedFields, defaults, features, revision]
   *       properties:
   *         ladder:
   *           type: array
   *           description: All audiences, lowest first.
   *           items: { $ref: '#/components/schemas/Rung' }
   *         lockedFields:
   *           type: array
   *           description: >-
   *             Fields that only administrators can see. These fields cannot have a field rule.
   *           items: { $ref: '#/components/schemas/LockedField' }
   *         defaults: { $ref: '#/components/schemas/FeatureVisibilities' }
   *         features: { $ref: '#/components/schemas/FeatureVisibilities' }
   *         revision: { $ref: '#/components/schemas/Revision' }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/shard/visibility",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Get the visibility of the shard's features",
    description:
      "Returns the audience and the field rules of each feature, and whether the public stream " +
      "contains its events. `features` contains the values that apply now, `defaults` the " +
      "built-in values.",
    answers: { 200: "VisibilityConfig" },
    handle: (_input, context) => readVisibilityConfig(context),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/admin/shard/visibility",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Change the visibility of the shard's features",
    description:
      "Values that the request does not contain stay the same. Null resets a value, or all " +
      "values of a feature, to the default. The change also applies to streams that are already " +
      "open. If a feature, field or audience is unknown, or a field cannot have a field rule, " +
      "nothing changes: the response is 400 `validation_failed` and lists every fault. The " +
      "activity log records the change as `visibility.updated`.",
    body: Joi.object<{ features: object }, true>({ features: features.required() })
      .meta({ component: "VisibilityUpdate" })
      .example({
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
