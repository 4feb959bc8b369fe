import {
  count,
  field,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { gatedView, listView, objectView, plainViews } from "../visibility/view.ts";
import {
  accountCharacter,
  birchCharacter,
  character,
  characterView,
  mapleCharacter,
} from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";
import { defineSnapshotKinds } from "./snapshot.ts";

const guildId = field(count(), "Id of the guild in the game: a number, not a serial.");
const abbr = field(nullish(text()), "Abbreviation of the guild.");

const guild = {
  guildId,
  name: field(nullish(text()), "Name of the guild."),
  abbr,
  type: field(nullish(text()), "Type of the guild, such as `Regular`, `Order` or `Chaos`."),
};

const leader = field(nullish(accountCharacter()), "Leader of the guild.");
const members = field(nullish(listOf(character())), "Members of the guild.");

const guildState = objectSchema({
  ...guild,
  leader,
  memberCount: field(nullish(count()), "Number of members."),
});

const membership = objectSchema({
  guildId,
  abbr,
  serial: field(nullish(serialField()), "Serial of the character."),
  name: field(nullish(text()), "Name of the character."),
  members,
});

const membershipShown = {
  feature: "guilds" as const,
  view: {
    ...plainViews("guildId", "abbr"),
    serial: gatedView("members"),
    name: gatedView("members"),
    members: gatedView("members", listView(plainViews("serial", "name"))),
  },
};

const hall = { guildId: 17, name: "The Iron Hall", abbr: "IRON", type: "Regular" };
const hallLed = { ...hall, leader: { ...mapleCharacter, acct: "maple" } };
const hallState = { ...hallLed, memberCount: 23 };

/** Events of guilds. Names and types are public; the rule for `members` decides who sees members. */
export const guildKinds = {
  "guild.created": definePublicKind(objectSchema({ ...guild, leader, members }), {
    about: "A guild was founded.",
    example: { ...hallLed, members: [mapleCharacter, birchCharacter] },
    feature: "guilds",
    view: {
      ...plainViews("guildId", "name", "abbr", "type"),
      leader: characterView,
      members: gatedView("members", listView(plainViews("serial", "name"))),
    },
  }),
  "guild.joined": definePublicKind(membership, {
    about: "A character joined a guild.",
    example: { guildId: 17, abbr: "IRON", ...birchCharacter },
    ...membershipShown,
  }),
  "guild.left": definePublicKind(membership, {
    about: "A character left a guild.",
    example: { guildId: 17, abbr: "IRON", ...birchCharacter },
    ...membershipShown,
  }),
  "guild.disbanded": definePublicKind(objectSchema(guild), {
    about: "A guild was disbanded.",
    example: hall,
    feature: "guilds",
    view: plainViews("guildId", "name", "abbr", "type"),
  }),
  "guild.war": definePublicKind(
    objectSchema({
      ...guild,
      opponent: field(nullish(objectSchema(guild)), "The other guild of the war."),
      status: field(nullish(text()), "State of the war, such as `Pending` or `InProgress`."),
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
        ...plainViews("guildId", "name", "abbr", "type", "status"),
        opponent: objectView(plainViews("guildId", "name", "abbr", "type")),
      },
    },
  ),
  "guild.upsert": defineStaffKind(guildState, {
    about: "Reports the current data of a guild. Send it when a guild is founded or changes.",
    example: hallState,
    feeds: { state: "guild", as: "upsert" },
  }),
  "guild.removed": defineStaffKind(objectSchema({ guildId }), {
    about: "A guild no longer exists.",
    example: { guildId: 17 },
    feeds: { state: "guild", as: "remove" },
  }),
  ...defineSnapshotKinds("guild", guildState, { of: "all guilds", row: hallState }),
};
