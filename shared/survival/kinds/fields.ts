import Joi from "joi";

import { maybe, shape, text } from "../../bridge/payload-fields.ts";
import { steamIdPattern } from "../players/steam-id.ts";

/** A Steam account: more digits than a number of JSON holds, so always a text. */
export const steamId = (): Joi.StringSchema => Joi.string().pattern(steamIdPattern);

/** A 64-bit number of the game, as a text: the id of a clan, of an entity. */
export const bigId = (): Joi.StringSchema => Joi.string().pattern(/^-?\d{1,20}$/);

/** Metres, percent, hit points. */
export const decimal = (): Joi.NumberSchema => Joi.number().unsafe();

export const instantMs = (): Joi.NumberSchema => Joi.number().integer().min(0).max(8.64e15);

/** Names come with markup and invisible characters: they are cleaned where they are shown. */
export const gameName = (): Joi.StringSchema => text(256);

export const player = () => shape({ steamId: steamId(), name: gameName() });

/** East and north of the middle of the map; the height is left out where it says nothing. */
export const groundFields = {
  x: maybe(decimal()),
  z: maybe(decimal()),
  grid: maybe(text(16)),
};
