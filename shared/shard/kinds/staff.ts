import {
  count,
  exactText,
  field,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { birch, exampleTime, luna, wild } from "./example-world.ts";
import { accountCharacter, accountFields, instant, located } from "./fields.ts";
import { staffKind } from "./kind.ts";

const response = shape({
  by: field(maybe(text()), "Name of the person who answered."),
  message: field(text(4_000), "The answer."),
  at: field(maybe(instant()), "When it was sent, in epoch milliseconds."),
});

const helpPage = located({
  id: field(
    key(),
    "Id of the page. The plugin makes it up, and the site names the page by it in calls.",
  ),
  type: field(maybe(text()), "Type of the page in the game, such as `Stuck` or `Bug`."),
  sender: field(maybe(accountCharacter()), "Character who asks for help."),
  message: field(maybe(text(4_000)), "What the player wrote."),
  sentAt: field(maybe(instant()), "When it was sent, in epoch milliseconds."),
  handler: field(maybe(text()), "Name of the person who handles the page. Null for nobody."),
  responses: field(maybe(listOf(response)), "Answers to the player."),
  resolution: field(maybe(text()), "How the page was closed, such as `Handled`."),
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
const acct = field(maybe(exactText()), "Game account of the character.");

const speed = located({
  serial: anyone.serial,
  acct,
  ip,
  count: field(maybe(count()), "Steps that were too fast."),
  windowMs: field(maybe(count()), "Milliseconds within which they were counted."),
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

/** What staff watch and do: help pages, talk, commands, cheats. */
export const staffKinds = {
  "page.open": staffKind(helpPage, {
    about: "A player asked the game's staff for help.",
    example: stuck,
  }),
  "page.update": staffKind(helpPage, {
    about: "A help page was taken by somebody or answered.",
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
      text: field(text(4_000), "What was said."),
    }),
    {
      about: "A player wrote in a channel of the chat.",
      example: { channel: "Trade", ...birch, text: "WTS ingots, 5k each" },
    },
  ),
  speech: staffKind(
    located({
      ...anyone,
      acct,
      type: field(maybe(text()), "Kind of speech in the game, such as `Regular` or `Yell`."),
      text: field(text(4_000), "What was said."),
      hue: field(maybe(count()), "Number of the text's color."),
    }),
    {
      about:
        "A character said something in the world. These events are many; they may be left out.",
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
        "Person who acted.",
      ),
      command: field(maybe(text()), "Name of the command."),
      args: field(maybe(text(4_000)), "Arguments of the command."),
      target: field(maybe(text()), "Whom or what the command was for."),
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
    about: "The game found a client that runs faster than the clock.",
    example: tooFast,
  }),
  "cheat.multiclient": staffKind(
    shape({
      ip,
      accounts: field(maybe(listOf(exactText())), "Game accounts that are connected."),
      limit: field(maybe(count()), "Largest number of connections of one address."),
    }),
    {
      about: "An address has more connections than it may have.",
      example: { ip: "203.0.113.9", accounts: ["birch", "rowan"], limit: 1 },
    },
  ),
};
