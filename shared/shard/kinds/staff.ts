import {
  count,
  verbatimText,
  field,
  rowKey,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import {
  accountCharacter,
  accountFields,
  birchCharacter,
  exampleTime,
  epochMsField,
  schemaWithLocation,
  lunaLocation,
  wildernessLocation,
} from "./fields.ts";
import { defineStaffKind } from "./kind.ts";

const response = objectSchema({
  by: field(nullish(text()), "Name of the member of the game's staff who answered."),
  message: field(text(4_000), "Text of the answer."),
  at: field(nullish(epochMsField()), "When the message was sent, in epoch milliseconds."),
});

const helpPage = schemaWithLocation({
  id: field(
    rowKey(),
    "Id of the help page, made up by the plugin. The site uses the id in calls such as `POST " +
      "/v1/pages/:id/close`.",
  ),
  type: field(nullish(text()), "Type of the help page in the game, such as `Stuck` or `Bug`."),
  sender: field(nullish(accountCharacter()), "Character whose player asks for help."),
  message: field(nullish(text(4_000)), "Message of the player."),
  sentAt: field(nullish(epochMsField()), "When the message was sent, in epoch milliseconds."),
  handler: field(
    nullish(text()),
    "Name of the member of the game's staff who handles the help page. Null if nobody does.",
  ),
  responses: field(nullish(listOf(response)), "Answers that the player received, oldest first."),
  resolution: field(
    nullish(text()),
    "How the help page was closed, such as `Handled`. Null while the help page is open.",
  ),
});

const stuck = {
  id: "page-81",
  type: "Stuck",
  sender: { ...birchCharacter, acct: "birch" },
  message: "I fell behind the bank (again)",
  location: { map: "Trammel", x: 1438, y: 1695, z: 0, region: "Britain" },
  sentAt: exampleTime,
  handler: null,
  responses: [],
};

const ip = field(nullish(verbatimText()), "IP address from which the player is connected.");
const anyone = {
  serial: field(nullish(serialField()), "Serial of the character."),
  name: field(nullish(text()), "Name of the character."),
};
const acct = field(nullish(verbatimText()), "Name of the character's game account.");

const speed = schemaWithLocation({
  serial: anyone.serial,
  acct,
  ip,
  count: field(nullish(count()), "Number of steps that were too fast."),
  windowMs: field(nullish(count()), "Period in which the steps were counted, in milliseconds."),
  client: field(nullish(text()), "Version of the game client."),
});

const tooFast = {
  serial: birchCharacter.serial,
  acct: "birch",
  ip: "203.0.113.9",
  count: 14,
  windowMs: 4_000,
  client: "7.0.106.21",
  location: wildernessLocation,
};

/** Events that only staff see: help pages, chat, commands and detected cheats. */
export const staffKinds = {
  "page.open": defineStaffKind(helpPage, {
    about: "A player asked the game's staff for help.",
    example: stuck,
  }),
  "page.update": defineStaffKind(helpPage, {
    about: "A member of the game's staff took over or answered a help page.",
    example: {
      ...stuck,
      handler: "Aldor",
      responses: [{ by: "Aldor", message: "On my way.", at: exampleTime + 60_000 }],
    },
  }),
  "page.close": defineStaffKind(helpPage, {
    about: "A help page was closed.",
    example: { ...stuck, handler: "Aldor", resolution: "Handled" },
  }),
  "chat.message": defineStaffKind(
    objectSchema({
      channel: field(nullish(text()), "Name of the chat channel."),
      ...anyone,
      text: field(text(4_000), "Text of the message."),
    }),
    {
      about: "A player wrote a message in a chat channel.",
      example: { channel: "Trade", ...birchCharacter, text: "WTS ingots, 5k each" },
    },
  ),
  speech: defineStaffKind(
    schemaWithLocation({
      ...anyone,
      acct,
      type: field(nullish(text()), "Type of the speech in the game, such as `Regular` or `Yell`."),
      text: field(text(4_000), "Text of the message."),
      hue: field(nullish(count()), "Color number (hue) of the text."),
    }),
    {
      about:
        "A character said something in the world. These events are frequent: a plugin may omit " +
        "them.",
      example: {
        ...birchCharacter,
        acct: "birch",
        type: "Regular",
        text: "bank",
        hue: 53,
        location: lunaLocation,
      },
    },
  ),
  "admin.audit": defineStaffKind(
    schemaWithLocation({
      actor: field(
        objectSchema({
          ...accountFields,
          access: field(nullish(text()), "Access level, such as `GameMaster`."),
        }),
        "Member of the game's staff who used the command.",
      ),
      command: field(nullish(text()), "Name of the command."),
      args: field(nullish(text(4_000)), "Arguments of the command."),
      target: field(
        nullish(text()),
        "Target of the command, such as a serial. Null if the command has no target.",
      ),
    }),
    {
      about: "A member of the game's staff used a command. Send no event for commands of players.",
      example: {
        actor: { serial: "0x00000002", name: "Aldor", acct: "gm_aldor", access: "GameMaster" },
        command: "kick",
        args: "",
        target: birchCharacter.serial,
        location: { map: "Felucca", x: 1438, y: 1695, z: 0, region: "Britain" },
      },
    },
  ),
  "cheat.fastwalk": defineStaffKind(speed, {
    about: "The game stopped a character that walked too fast.",
    example: tooFast,
  }),
  "cheat.speedhack": defineStaffKind(speed, {
    about: "The game detected a game client that moves faster than the game allows (speed hack).",
    example: tooFast,
  }),
  "cheat.multiclient": defineStaffKind(
    objectSchema({
      ip,
      accounts: field(
        nullish(listOf(verbatimText())),
        "Names of the game accounts that are connected from the IP address.",
      ),
      limit: field(nullish(count()), "Maximum number of connections from one IP address."),
    }),
    {
      about: "More game clients are connected from one IP address than allowed.",
      example: { ip: "203.0.113.9", accounts: ["birch", "rowan"], limit: 1 },
    },
  ),
};
