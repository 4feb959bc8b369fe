import Joi from "joi";

import {
  placementAnchors,
  type SurvivalNpcPlacement,
  wipePolicies,
} from "../../../models/survival/npcs/survival-npc-placement.ts";
import { hashContent } from "../../platform/base-revision.ts";
import { type Fault, invalidFieldsError } from "../../platform/errors/errors.ts";
import { nameTextField } from "../../platform/texts/visible-text.ts";
import { profileKeyPattern } from "./profile-fields.ts";

/** The fields of a placement that an administrator sets. */
export type PlacementFields = Pick<
  SurvivalNpcPlacement,
  | "profileKey"
  | "anchor"
  | "monument"
  | "x"
  | "y"
  | "z"
  | "rotation"
  | "count"
  | "radius"
  | "respawnSec"
  | "enabled"
  | "onWipe"
>;

export type NewPlacement = Partial<PlacementFields> &
  Pick<SurvivalNpcPlacement, "name" | "profileKey">;

/** Omitted fields keep their values. The name may be sent, but not changed. */
export type PlacementChange = Partial<PlacementFields> & { readonly name?: string };

/** Requires a letter or digit: a name of dots only would change the URL path. */
const namePattern = /^(?=.*[A-Za-z0-9])[A-Za-z0-9 _.-]{1,64}$/;

export const placementName = Joi.string()
  .custom((given: string) => given.trim(), "name without space around it")
  .pattern(namePattern, "placement name")
  .description(
    "Name that identifies the placement on the game server: up to 64 letters, digits, spaces and " +
      "the characters `_`, `.` and `-`.",
  )
  .example("Dome boss");

const coordinate = Joi.number().min(-20_000).max(20_000);

/** The fields of a placement except its name, all optional. */
export const placementFields = {
  profileKey: Joi.string()
    .pattern(profileKeyPattern, "profile key")
    .description("Key of the NPC profile.")
    .example("forest-boss"),
  anchor: Joi.string()
    .valid(...placementAnchors)
    .description(
      "Origin of the coordinates: the center of the map (`world`), or a monument (`monument`).",
    ),
  monument: nameTextField(128)
    .allow(null)
    .description("Label of the monument. Required with the anchor `monument`."),
  x: coordinate.description("Distance from the origin to the east, in meters."),
  y: coordinate.description("Height above the origin, in meters."),
  z: coordinate.description("Distance from the origin to the north, in meters."),
  rotation: Joi.number().min(-360).max(360).description("Rotation of the placement in degrees."),
  count: Joi.number()
    .integer()
    .min(1)
    .max(50)
    .description("Number of NPCs that spawn at the placement. Default for a new placement: 1."),
  radius: Joi.number().min(0).max(500).description("Radius in meters within which the NPCs spawn."),
  respawnSec: Joi.number()
    .integer()
    .min(10)
    .max(2_592_000)
    .allow(null)
    .description(
      "Number of seconds until killed NPCs respawn. With null, killed NPCs never respawn. " +
        "Default for a new placement: 300.",
    ),
  enabled: Joi.boolean(),
  onWipe: Joi.string()
    .valid(...wipePolicies)
    .description(
      "Whether the placement is still valid in the new world after a wipe (`keep`) or not " +
        "(`drop`). Default with the anchor `monument`: `keep`. Default with the anchor `world`: " +
        "`drop`.",
    ),
} as const;

/** Returns the hash of a placement's name and fields. */
export const placementRevision = (
  placement: PlacementFields & Pick<SurvivalNpcPlacement, "name">,
): string =>
  hashContent([
    placement.name,
    ...(Object.keys(placementFields) as (keyof PlacementFields)[]).map((name) => placement[name]),
  ]);

/** @throws AppError naming each missing field that the anchor requires */
export function completePlacementFields(given: NewPlacement): PlacementFields {
  const { profileKey, anchor = "world" } = given;
  const ofAnchor = { x: 0, y: 0, z: 0, onWipe: anchor === "world" ? "drop" : "keep" } as const;
  const faults = anchor === "world" ? missingFieldFaults(given, ["x", "y", "z"]) : [];
  if (faults.length > 0) throw invalidFieldsError(faults);
  const { name: _, ...fields } = given;
  return normalizeMonument({ ...defaultFields, ...ofAnchor, anchor, ...fields, profileKey });
}

/** @throws AppError naming the monument if the anchor requires one and it is missing */
export function mergePlacementFields(
  stored: PlacementFields,
  change: Partial<PlacementFields>,
): PlacementFields {
  return normalizeMonument({ ...stored, ...change });
}

const defaultFields = {
  monument: null,
  rotation: 0,
  count: 1,
  radius: 0,
  respawnSec: 300,
  enabled: true,
} as const;

/** The anchor `world` clears the monument, and the anchor `monument` requires it. */
function normalizeMonument(fields: PlacementFields): PlacementFields {
  if (fields.anchor === "world") return { ...fields, monument: null };
  if (fields.monument !== null) return fields;
  throw invalidFieldsError([
    { path: "monument", message: "monument is required with this anchor" },
  ]);
}

const missingFieldFaults = (given: NewPlacement, needed: readonly ("x" | "y" | "z")[]): Fault[] =>
  needed
    .filter((path) => given[path] === undefined)
    .map((path) => ({ path, message: `${path} is required for a place of the map` }));
