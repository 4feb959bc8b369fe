import { count, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { gated, list, object, plain } from "../values/view.ts";
import { accountCharacter, character, characterView } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

/** Guilds are numbered by the game; their ids are no serials. */
const guild = {
  guildId: count(),
  name: maybe(text()),
  abbr: maybe(text()),
  type: maybe(text()),
};

const guildState = shape({
  ...guild,
  leader: maybe(accountCharacter()),
  memberCount: maybe(count()),
});

const membership = publicKind(
  shape({
    guildId: count(),
    abbr: maybe(text()),
    serial: maybe(serial()),
    name: maybe(text()),
    members: maybe(listOf(character())),
  }),
  {
    feature: "guilds",
    view: {
      ...plain("guildId", "abbr"),
      serial: gated("members"),
      name: gated("members"),
      members: gated("members", list(plain("serial", "name"))),
    },
  },
);

/** Guilds: what they are is public, who is in them follows the rule for `members`. */
export const guildKinds = {
  "guild.created": publicKind(
    shape({
      ...guild,
      leader: maybe(accountCharacter()),
      members: maybe(listOf(character())),
    }),
    {
      feature: "guilds",
      view: {
        ...plain("guildId", "name", "abbr", "type"),
        leader: characterView,
        members: gated("members", list(plain("serial", "name"))),
      },
    },
  ),
  "guild.joined": membership,
  "guild.left": membership,
  "guild.disbanded": publicKind(shape(guild), {
    feature: "guilds",
    view: plain("guildId", "name", "abbr", "type"),
  }),
  "guild.war": publicKind(
    shape({ ...guild, opponent: maybe(shape(guild)), status: maybe(text()) }),
    {
      feature: "guilds",
      view: {
        ...plain("guildId", "name", "abbr", "type", "status"),
        opponent: object(plain("guildId", "name", "abbr", "type")),
      },
    },
  ),
  "guild.upsert": staffKind(guildState, { feeds: { state: "guild", as: "upsert" } }),
  "guild.removed": staffKind(shape({ guildId: count() }), {
    feeds: { state: "guild", as: "remove" },
  }),
  ...snapshotOf("guild", guildState),
};
