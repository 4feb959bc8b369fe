import Joi from "joi";

import { command } from "../../bridge/call.ts";
import { field, integer, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";
import { voiceExample, voiceFields } from "./voice-fields.ts";

const title = shape({
  text: field(text(64), "Text of the title."),
  color: field(maybe(text(16)), "Color, such as `#ff5533`. Null for the game's own."),
  stat: field(text(64), "Figure that the title is for."),
  rank: field(integer(), "Place of the player in that figure."),
});

const holder = shape({
  steamId: field(steamId(), "Steam id of the player."),
  titles: field(listOf(title), "Titles to show, in this order."),
});

/** Who holds which titles in chat, already cut as the server's rules say. */
export const setTitles = command<
  object,
  { body: { mode: string; max: number | null; holders: readonly object[] } }
>({
  method: "PUT",
  path: "/v1/titles",
  answer: Joi.object(),
  docs: {
    about: "Set the titles that players have in the chat. The list replaces the one before.",
    body: shape({
      mode: field(text(16), "How many titles a player has: `first`, `all` or `upTo`."),
      max: field(maybe(integer()), "Largest number of titles, with `upTo`."),
      holders: field(listOf(holder), "Players with a title. The site has applied the mode."),
    }),
    example: {
      body: {
        mode: "first",
        max: null,
        holders: [
          {
            steamId: "76561198000000001",
            titles: [{ text: "Lumberjack", color: "#ffaa55", stat: "woodGathered", rank: 1 }],
          },
        ],
      },
      answer: {},
    },
  },
});

/** In which style the site speaks. */
export const setVoice = command<object, { body: object }>({
  method: "PUT",
  path: "/v1/voice",
  answer: Joi.object(),
  docs: {
    about: "Set the style in which the site speaks.",
    body: shape(voiceFields),
    example: { body: voiceExample, answer: {} },
  },
});
