import Joi from "joi";

import type { ZonePlace } from "../../models/survival/survival-zone-lease.ts";
import type { ZoneShape } from "../../models/survival/survival-zone-preset.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { zoneFlagNames } from "../../shared/survival/zones/zone-flags.ts";
import { idField } from "../http/fields.ts";

const side = Joi.number().min(1).max(2_000).required();
const coordinate = Joi.number().min(-20_000).max(20_000);

const shapeField = Joi.alternatives<ZoneShape>(
  Joi.object({
    kind: Joi.valid("sphere").required(),
    radius: Joi.number().min(1).max(1_000).required(),
  }),
  Joi.object({ kind: Joi.valid("box").required(), x: side, y: side, z: side }),
);

export const presetFields = {
  key: Joi.string()
    .pattern(/^[a-z0-9][a-z0-9-]{0,47}$/, "key")
    .description(
      "Unique name of the preset, with which zones are opened. The name cannot be changed later.",
    ),
  name: nameTextField(100),
  shape: shapeField,
  rotation: Joi.number().min(-360).max(360).description("Rotation of the zone in degrees."),
  flags: Joi.array<string[]>()
    .items(Joi.string().valid(...zoneFlagNames))
    .unique()
    .description("Names of flags of the zone mod, as `GET /admin/survival/zones` lists them."),
  radiation: Joi.number().min(0).max(1_000),
  comfort: Joi.number().min(0).max(1),
  temperature: Joi.number().min(-200).max(200),
  safeZone: Joi.boolean().description("Whether the zone is a safe zone of the game."),
  enterMessage: nameTextField(256)
    .allow(null)
    .description("Message for players who enter the zone. Null for none."),
  leaveMessage: nameTextField(256)
    .allow(null)
    .description("Message for players who leave the zone. Null for none."),
  permission: Joi.string()
    .pattern(/^(?!zonemanager\.)[a-z0-9_.-]{1,64}$/, "permission")
    .allow(null)
    .description(
      "Permission that players need to enter the zone, without the prefix `zonemanager.`. Null " +
        "if everyone may enter.",
    ),
  ejectSpawns: nameTextField(64)
    .allow(null)
    .description(
      "Name of a spawn file. Players who are ejected from the zone are moved to a spawn point of " +
        "this file. Null for none.",
    ),
  ruleset: nameTextField(64)
    .allow(null)
    .description(
      "Name of the ruleset of the server's PvE mod that applies in the zone. Null for none.",
    ),
  dome: Joi.object({
    enabled: Joi.boolean().required(),
    darkness: Joi.number().integer().min(0).max(10).required(),
  })
    .allow(null)
    .description("Visible dome over the zone. Null for no dome."),
  maxDurationSec: Joi.number()
    .integer()
    .min(60)
    .max(86_400)
    .description(
      "Maximum time in seconds that a zone from this preset may stay open. Default for a new " +
        "preset: 3600.",
    ),
  color: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/, "color")
    .allow(null)
    .description("Color of the zone on the maps of the site. Null for the default color."),
  servers: Joi.alternatives<"all" | number[]>(
    Joi.valid("all"),
    Joi.array().items(idField).unique().min(1).max(100),
  ).description(
    "Servers on which zones may be opened from the preset: `all`, or a list of server ids. " +
      "Default for a new preset: `all`.",
  ),
  confirmDestructive: Joi.boolean().description(
    "Confirms destructive flags. Must be true if the preset contains a destructive flag after " +
      "the request.",
  ),
};

/** The center of a new zone. */
export const placeField = Joi.alternatives<ZonePlace>(
  Joi.object({ x: coordinate.required(), y: coordinate.default(0), z: coordinate.required() }),
  Joi.string()
    .max(128)
    .custom((label: string) => ({ monument: label })),
).description(
  "Center of the zone: a point of the world in meters, or the label of a monument. The map must " +
    "have exactly one monument with this label.",
);
