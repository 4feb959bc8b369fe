import Joi from "joi";

import { steamIdPattern } from "../../shared/survival/kinds/fields.ts";
import type { ServerScope } from "../../shared/survival/permissions/wanted.ts";
import type { WorldQuery } from "../../shared/survival/rankings/scope.ts";
import { idField } from "../http/fields.ts";

export const steamIdParam = Joi.string()
  .pattern(steamIdPattern, "Steam id")
  .required()
  .description("SteamID64 of the player's Steam account.")
  .example("76561198012345678");

/** The parameters that select the worlds of survival servers. */
export const worldFields = {
  server: idField.description(
    "Id of a survival server. If present, only worlds of this server count. If absent, worlds of " +
      "all listed servers count.",
  ),
  wipe: Joi.alternatives<WorldQuery["wipe"]>(idField, Joi.valid("current", "all"))
    .default("all")
    .description(
      "Which worlds count: the id of one world (a wipe), `current` for the current world of each " +
        "server, or `all`. Default: `all`.",
    ),
};

/** The servers to which a group or grant applies. */
export const scopeField = Joi.object<ServerScope>({
  all: Joi.boolean()
    .required()
    .description(
      "Whether the group or grant is valid on all servers, including servers that are added " +
        "later. If true, `serverIds` is ignored.",
    ),
  serverIds: Joi.array()
    .items(idField)
    .unique()
    .max(200)
    .default([])
    .description("Ids of the servers. At least one id is required if `all` is false."),
})
  .description(
    "Servers on which the group or grant is valid: all servers, or the servers in `serverIds`.",
  )
  .example({ all: false, serverIds: [3] });
