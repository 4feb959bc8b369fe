import Joi from "joi";

import type { Scope } from "../../shared/survival/permissions/wanted.ts";
import { steamIdPattern } from "../../shared/survival/players/steam-id.ts";
import type { WorldQuery } from "../../shared/survival/worlds/world-scope.ts";
import { idField } from "../http/fields.ts";

export const steamIdParam = Joi.string()
  .pattern(steamIdPattern, "Steam id")
  .required()
  .description("SteamID64 of the player.")
  .example("76561198012345678");

/** Which worlds an answer is about. */
export const worldFields = {
  server: idField.description(
    "Count only worlds of this server. If omitted, worlds of all listed servers count.",
  ),
  wipe: Joi.alternatives<WorldQuery["wipe"]>(idField, Joi.valid("current", "all"))
    .default("all")
    .description(
      "Which worlds to count: the id of one world (a wipe), `current` for the current world of " +
        "each server, or `all`.",
    ),
};

/** The servers that something is for. */
export const scopeField = Joi.object<Scope>({
  all: Joi.boolean()
    .required()
    .description(
      "True for all servers, including servers that are added later. `serverIds` is then ignored.",
    ),
  serverIds: Joi.array()
    .items(idField)
    .unique()
    .max(200)
    .default([])
    .description("Ids of the servers. At least one if `all` is false."),
})
  .description(
    "The servers on which the group or grant is valid: all servers, or those in `serverIds`.",
  )
  .example({ all: false, serverIds: [3] });
