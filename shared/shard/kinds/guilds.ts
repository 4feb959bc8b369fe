import { count, field, listOf, maybe, shape, text } from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { gated, list, object, plain } from "../visibility/view.ts";
import { accountCharacter, birch, character, characterView, maple } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const guildId = field(count(), "Id of the guild in the game: a number, not a serial.");
const abbr = field(maybe(text()), "Abbreviation of the guild.");

const guild = {
  guildId,
  name: field(maybe(text()), "Name of the guild."),
  abbr,
  type: field(maybe(text()), "Type of the guild, such as `Regular`, `Order` or `Chaos`."),
};

const leader = field(maybe(accountCharacter()), "Leader of the guild.");
const members = field(maybe(listOf(character())), "Members of the guild.");

const guildState = shape({
  ...guild,
  leader,
  memberCount: field(maybe(count()), "Number of members."),
});

const membership = shape({
  guildId,
  abbr,
  serial: field(maybe(serial()), "Serial of the character."),
  name: field(maybe(text()), "Name of the character."),
  members,
});

const membershipShown = {
  feature: "guilds" as const,
  view: {
    ...plain("guildId", "abbr"),
    serial: gated("members"),
    name: gated("members"),
    members: gated("members", list(plain("serial", "name"))),
  },
};

const hall = { guildId: 17, name: "The Iron Hall", abbr: "IRON", type: "Regular" };
const hallLed = { ...hall, leader: { ...maple, acct: "maple" } };
const hallState = { ...hallLed, memberCount: 23 };

/** Events of guilds. Names and types are public; the rule for `members` decides who sees members. */
export const guildKinds = {
  "guild.created": publicKind(shape({ ...guild, leader, members }), {
    about: "A guild was founded.",
    example: { ...hallLed, members: [maple, birch] },
    feature: "guilds",
    view: {
      ...plain("guildId", "name", "abbr", "type"),
      leader: characterView,
      members: gated("members", list(plain("serial", "name"))),
    },
  }),
  "guild.joined": publicKind(membership, {
    about: "A character joined a guild.",
    example: { guildId: 17, abbr: "IRON", ...birch },
    ...membershipShown,
  }),
  "guild.left": publicKind(membership, {
    about: "A character left a guild.",
    example: { guildId: 17, abbr: "IRON", ...birch },
    ...membershipShown,
  }),
  "guild.disbanded": publicKind(shape(guild), {
    about: "A guild was disbanded.",
    example: hall,
    feature: "guilds",
    view: plain("guildId", "name", "abbr", "type"),
  }),
  "guild.war": publicKind(
    shape({
      ...guild,
      opponent: field(maybe(shape(guild)), "The other guild of the war."),
      status: field(maybe(text()), "State of the war, such as `Pending` or `InProgress`."),
    }),
    {
      about: "A war between two guilds was declared, began or ended.",
      example: {
        ...hall,
        opponent: { guildId: 4, name: "Order of the Oak", abbr: "OAK", type: "Regular" },
        status: "InProgress",
      },
      feature: "guilds",
      view: {
        ...plain("guildId", "name", "abbr", "type", "status"),
        opponent: object(plain("guildId", "name", "abbr", "type")),
      },
    },
  ),
  "guild.upsert": staffKind(guildState, {
    about: "Reports the current data of a guild. Send it when a guild is founded or changes.",
    example: hallState,
    feeds: { state: "guild", as: "upsert" },
  }),
  "guild.removed": staffKind(shape({ guildId }), {
    about: "A guild no longer exists.",
    example: { guildId: 17 },
    feeds: { state: "guild", as: "remove" },
  }),
  ...snapshotOf("guild", guildState, { of: "all guilds", row: hallState }),
};
