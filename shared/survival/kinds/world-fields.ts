import { field } from "../../platform/bridge/payload-fields.ts";
import { instantMs } from "./fields.ts";

/** What identifies a world. */
export const saveId = field(
  instantMs(),
  "Id of the world: the creation time of its save, in epoch milliseconds.",
);

/** What the fields of a world are that several kinds tell. */
export const seed = "Seed of the map, as a text or a number.";
export const worldLevel = "Name of the level, such as `Procedural Map`.";
export const worldSize = "Width of the map in meters.";
