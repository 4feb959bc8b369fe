import Joi from "joi";

import { field, flag, integer, maybe, shape, text } from "../../platform/bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";

const color = field(Joi.string().pattern(/^#[\da-fA-F]{6}$/), "Color, such as `#ffaa55`.");
const size = field(integer(), "Font size.");
const placeholders =
  "In it, replace `{Title}`, `{Username}`, `{Message}`, `{ID}`, `{Time}` and `{Date}` by their " +
  "values.";

const template = (place: string): string => `Template of a message ${place}. ${placeholders}`;

/** The style in which the site speaks, as the game is sent it. */
export const voiceFields = {
  name: field(text(32), "Name that players see as the sender of the message."),
  title: field(
    shape({
      text: field(text(32), "Text of the title."),
      color,
      size,
      hidden: field(flag(), "Whether messages are shown without the title."),
    }),
    "Title before the sender's name.",
  ),
  username: field(shape({ color, size }), "Style of the sender's name."),
  message: field(shape({ color, size }), "Style of the message."),
  format: field(
    shape({
      chat: field(text(128), template("in the chat")),
      console: field(text(128), template("on the console")),
    }),
    "Templates from which the game composes a message.",
  ),
  iconSteamId: field(
    maybe(steamId()),
    "Steam id of the account whose avatar the chat shows next to the message. Null for the " +
      "default avatar.",
  ),
  prefix: field(maybe(text(32)), "Text that the game shows before the message. Null for none."),
};

export const voiceExample = {
  name: "Announcement",
  title: { text: "Announcement", color: "#ffaa55", size: 15, hidden: false },
  username: { color: "#ffaa55", size: 15 },
  message: { color: "#ffffff", size: 15 },
  format: { chat: "{Title}: {Message}", console: "{Title}: {Message}" },
  iconSteamId: null,
  prefix: null,
};
