import Joi from "joi";

import type { Scope } from "../../shared/survival/permissions/wanted.ts";
import { steamIdPattern } from "../../shared/survival/players/steam-id.ts";
import type { WorldQuery } from "../../shared/survival/worlds/world-scope.ts";
import { idField } from "../http/fields.ts";

export const steamIdParam = Joi.string()
  .pattern(steamIdPattern, "Steam id")
  .required()
  .description("A Steam account.")
  .example("76561198012345678");

/** Which worlds an answer is about. */
export const worldFields = {
  server: idField.description("Of this server alone."),
  wipe: Joi.alternatives<WorldQuery["wipe"]>(idField, Joi.valid("current", "all"))
    .default("all")
    .description("The id of a wipe; `current`: the worlds that stand; `all`: every world."),
};

/** The servers that something is for. */
export const scopeField = Joi.object<Scope>({
  all: Joi.boolean().required(),
  serverIds: Joi.array().items(idField).unique().max(200).default([]),
})
  .description("All servers, or those that are named.")
  .example({ all: false, serverIds: [3] });
