import Joi from "joi";

import { declareCommand } from "../../platform/bridge/calls/call.ts";
import {
  field,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
  flag,
} from "../../platform/bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";

const color = field(Joi.string().pattern(/^#[\da-fA-F]{6}$/), "Color, such as `#ffaa55`.");
const size = field(integer(), "Font size.");
const placeholders =
  "In it, replace `{Title}`, `{Username}`, `{Message}`, `{ID}`, `{Time}` and `{Date}` by their " +
  "values.";

const template = (place: string): string => `Template of a message ${place}. ${placeholders}`;

/** The style of the site's chat messages, in the fields that the game receives. */
export const messageStyleBodyFields = {
  name: field(text(32), "Name that players see as the sender of the message."),
  title: field(
    objectSchema({
      text: field(text(32), "Text of the title."),
      color,
      size,
      hidden: field(flag(), "Whether messages are shown without the title."),
    }),
    "Title before the sender's name.",
  ),
  username: field(objectSchema({ color, size }), "Style of the sender's name."),
  message: field(objectSchema({ color, size }), "Style of the message."),
  format: field(
    objectSchema({
      chat: field(text(128), template("in the chat")),
      console: field(text(128), template("on the console")),
    }),
    "Templates from which the game composes a message.",
  ),
  iconSteamId: field(
    nullish(steamId()),
    "Steam id of the account whose avatar the chat shows next to the message. Null for the " +
      "default avatar.",
  ),
  prefix: field(nullish(text(32)), "Text that the game shows before the message. Null for none."),
};

export const messageStyleExample = {
  name: "Announcement",
  title: { text: "Announcement", color: "#ffaa55", size: 15, hidden: false },
  username: { color: "#ffaa55", size: 15 },
  message: { color: "#ffffff", size: 15 },
  format: { chat: "{Title}: {Message}", console: "{Title}: {Message}" },
  iconSteamId: null,
  prefix: null,
};

const title = objectSchema({
  text: field(text(64), "Text of the title."),
  color: field(
    nullish(text(16)),
    "Color of the title, such as `#ff5533`. Null for the game's own color.",
  ),
  stat: field(text(64), "Statistic for which the player holds the title, such as `woodGathered`."),
  rank: field(integer(), "Rank of the player in this statistic."),
});

const holder = objectSchema({
  steamId: field(steamId(), "Steam id of the player."),
  titles: field(listOf(title), "Titles that the game shows for the player, in this order."),
});

/** Sets the holders of chat titles, already limited by the server's rules. */
export const setTitlesCall = declareCommand<
  object,
  { body: { mode: string; max: number | null; holders: readonly object[] } }
>({
  method: "PUT",
  path: "/v1/titles",
  answer: Joi.object(),
  docs: {
    about: "Set the titles that the chat shows for players. The list replaces the previous list.",
    body: objectSchema({
      mode: field(
        text(16),
        "How many titles of a player the game shows: only the first one (`first`), all of them " +
          "(`all`), or at most `max` (`upTo`).",
      ),
      max: field(nullish(integer()), "Maximum number of titles. Null unless `mode` is `upTo`."),
      holders: field(
        listOf(holder),
        "Players who hold titles. The site has already applied `mode` to the titles of each " +
          "player.",
      ),
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

export const setMessageStyleCall = declareCommand<object, { body: object }>({
  method: "PUT",
  path: "/v1/voice",
  answer: Joi.object(),
  docs: {
    about: "Set the style of the messages that the site sends to players.",
    body: objectSchema(messageStyleBodyFields),
    example: { body: messageStyleExample, answer: {} },
  },
});
