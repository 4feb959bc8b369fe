import Joi from "joi";

import { field, flag, integer, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";

const color = field(Joi.string().pattern(/^#[\da-fA-F]{6}$/), "Color, such as `#ffaa55`.");
const size = field(integer(), "Size of the letters.");
const template =
  "Template, in which `{Title}`, `{Username}`, `{Message}`, `{ID}`, `{Time}` and `{Date}` are filled in.";

/** The style in which the site speaks, as the game is sent it. */
export const voiceFields = {
  name: field(text(32), "Name of the sender."),
  title: field(
    shape({
      text: field(text(32), "Text of the title."),
      color,
      size,
      hidden: field(flag(), "Whether the title is left out."),
    }),
    "Title before the sender's name.",
  ),
  username: field(shape({ color, size }), "Style of the sender's name."),
  message: field(shape({ color, size }), "Style of the message."),
  format: field(
    shape({
      chat: field(text(128), `${template} For the chat.`),
      console: field(text(128), `${template} For the console.`),
    }),
    "How a message is put together.",
  ),
  iconSteamId: field(maybe(steamId()), "Steam account whose picture stands before the message."),
  prefix: field(maybe(text(32)), "Text before the message."),
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
