import {
  count,
  exactText,
  field,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import {
  accountCharacter,
  accountFields,
  birch,
  exampleTime,
  instant,
  located,
  luna,
  wild,
} from "./fields.ts";
import { staffKind } from "./kind.ts";

const response = shape({
  by: field(maybe(text()), "Name of the member of the game's staff who answered."),
  message: field(text(4_000), "Text of the answer."),
  at: field(maybe(instant()), "When the message was sent, in epoch milliseconds."),
});

const helpPage = located({
  id: field(
    key(),
    "Id of the help page, made up by the plugin. The site uses it in calls such as `POST " +
      "/v1/pages/:id/close`.",
  ),
  type: field(maybe(text()), "Type of the help page in the game, such as `Stuck` or `Bug`."),
  sender: field(maybe(accountCharacter()), "Character whose player asks for help."),
  message: field(maybe(text(4_000)), "Message of the player."),
  sentAt: field(maybe(instant()), "When the message was sent, in epoch milliseconds."),
  handler: field(
    maybe(text()),
    "Name of the member of the game's staff who handles the help page. Null if nobody does.",
  ),
  responses: field(maybe(listOf(response)), "Answers that the player received, oldest first."),
  resolution: field(
    maybe(text()),
    "How the help page was closed, such as `Handled`. Null while it is open.",
  ),
});

const stuck = {
  id: "page-81",
  type: "Stuck",
  sender: { ...birch, acct: "birch" },
  message: "I fell behind the bank (again)",
  location: { map: "Trammel", x: 1438, y: 1695, z: 0, region: "Britain" },
  sentAt: exampleTime,
  handler: null,
  responses: [],
};

const ip = field(maybe(exactText()), "IP address from which the player is connected.");
const anyone = {
  serial: field(maybe(serial()), "Serial of the character."),
  name: field(maybe(text()), "Name of the character."),
};
const acct = field(maybe(exactText()), "Name of the character's game account.");

const speed = located({
  serial: anyone.serial,
  acct,
  ip,
  count: field(maybe(count()), "Number of steps that were too fast."),
  windowMs: field(maybe(count()), "Period in which the steps were counted, in milliseconds."),
  client: field(maybe(text()), "Version of the game client."),
});

const tooFast = {
  serial: birch.serial,
  acct: "birch",
  ip: "203.0.113.9",
  count: 14,
  windowMs: 4_000,
  client: "7.0.106.21",
  location: wild,
};

/** Events that only staff see: help pages, chat, commands and detected cheats. */
export const staffKinds = {
  "page.open": staffKind(helpPage, {
    about: "A player asked the game's staff for help.",
    example: stuck,
  }),
  "page.update": staffKind(helpPage, {
    about: "A member of the game's staff took over or answered a help page.",
    example: {
      ...stuck,
      handler: "Aldor",
      responses: [{ by: "Aldor", message: "On my way.", at: exampleTime + 60_000 }],
    },
  }),
  "page.close": staffKind(helpPage, {
    about: "A help page was closed.",
    example: { ...stuck, handler: "Aldor", resolution: "Handled" },
  }),
  "chat.message": staffKind(
    shape({
      channel: field(maybe(text()), "Name of the chat channel."),
      ...anyone,
      text: field(text(4_000), "Text of the message."),
    }),
    {
      about: "A player wrote a message in a chat channel.",
      example: { channel: "Trade", ...birch, text: "WTS ingots, 5k each" },
    },
  ),
  speech: staffKind(
    located({
      ...anyone,
      acct,
      type: field(maybe(text()), "Type of the speech in the game, such as `Regular` or `Yell`."),
      text: field(text(4_000), "Text of the message."),
      hue: field(maybe(count()), "Color number (hue) of the text."),
    }),
    {
      about:
        "A character said something in the world. These events are frequent: a plugin may omit " +
        "them.",
      example: { ...birch, acct: "birch", type: "Regular", text: "bank", hue: 53, location: luna },
    },
  ),
  "admin.audit": staffKind(
    located({
      actor: field(
        shape({
          ...accountFields,
          access: field(maybe(text()), "Access level, such as `GameMaster`."),
        }),
        "Member of the game's staff who used the command.",
      ),
      command: field(maybe(text()), "Name of the command."),
      args: field(maybe(text(4_000)), "Arguments of the command."),
      target: field(maybe(text()), "Target of the command, such as a serial. Null if it has none."),
    }),
    {
      about: "A member of the game's staff used a command. Send no event for commands of players.",
      example: {
        actor: { serial: "0x00000002", name: "Aldor", acct: "gm_aldor", access: "GameMaster" },
        command: "kick",
        args: "",
        target: birch.serial,
        location: { map: "Felucca", x: 1438, y: 1695, z: 0, region: "Britain" },
      },
    },
  ),
  "cheat.fastwalk": staffKind(speed, {
    about: "The game stopped a character that walked too fast.",
    example: tooFast,
  }),
  "cheat.speedhack": staffKind(speed, {
    about: "The game detected a game client that moves faster than the game allows (speed hack).",
    example: tooFast,
  }),
  "cheat.multiclient": staffKind(
    shape({
      ip,
      accounts: field(
        maybe(listOf(exactText())),
        "Names of the game accounts that are connected from the IP address.",
      ),
      limit: field(maybe(count()), "Maximum number of connections from one IP address."),
    }),
    {
      about: "More game clients are connected from one IP address than allowed.",
      example: { ip: "203.0.113.9", accounts: ["birch", "rowan"], limit: 1 },
    },
  ),
};
