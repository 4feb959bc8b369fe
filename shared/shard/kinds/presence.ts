import {
  count,
  countsByName,
  exactText,
  field,
  listOf,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { counts, gated, named, plain, value } from "../visibility/view.ts";
import { birch, located, locationFields, luna, maple, wild } from "./fields.ts";
import { type EventFacts, publicKind, staffKind } from "./kind.ts";

const character = {
  serial: field(serial(), "Serial of the character."),
  name: field(text(), "Name of the character."),
  acct: field(maybe(exactText()), "Name of the character's game account."),
};

const session = {
  ...character,
  ip: field(maybe(exactText()), "IP address from which the player is connected."),
  race: field(maybe(text()), "Race, such as `Human`, `Elf` or `Gargoyle`."),
  guildId: field(maybe(count()), "Id of the character's guild. Null if the character has none."),
};

const player = shape({ ...character, ...locationFields });

const sessionOfMaple = {
  ...maple,
  acct: "maple",
  ip: "203.0.113.7",
  race: "Human",
  guildId: 17,
  location: luna,
};

/** The public sees only characters whose account is linked to a user of the site. */
const isLinked = (_: object, { linked }: EventFacts): boolean => linked;

/** Events of presence. Counts and names of linked characters are public; other fields are for staff. */
export const presenceKinds = {
  "presence.online": publicKind(
    shape({
      count: field(count(), "Number of characters in the world."),
      byMap: field(
        maybe(countsByName()),
        "Number of characters on each facet, by the name of the facet.",
      ),
      byRegion: field(
        maybe(countsByName()),
        "Number of characters in each region, by the name of the region.",
      ),
      players: field(
        maybe(listOf(player)),
        "All characters in the world, with their places. If null, the site keeps the stored list.",
      ),
    }),
    {
      about:
        "Reports which characters are in the world now. The list replaces the stored list. Send " +
        "it after each start and then about once a minute.",
      example: {
        count: 3,
        byMap: { Malas: 2, Felucca: 1 },
        byRegion: { Luna: 2 },
        players: [
          { ...maple, acct: "maple", ...luna },
          { ...birch, acct: "birch", ...wild },
        ],
      },
      feature: "presence",
      view: {
        count: value,
        facets: named("byMap", counts),
        regions: gated("byRegion", named("byRegion", counts)),
      },
      feeds: { state: "presence", as: "upsert" },
    },
  ),
  "presence.login": publicKind(located(session), {
    about:
      "A character entered the world. The public sees the event only if the game account is " +
      "linked to a user of the site.",
    example: sessionOfMaple,
    feature: "online",
    isPublic: isLinked,
    restsOn: "links",
    view: plain("serial", "name"),
    feeds: { state: "presence", as: "merge" },
  }),
  "presence.logout": publicKind(
    located({
      ...session,
      sessionSec: field(
        maybe(count()),
        "Number of seconds for which the character was in the world.",
      ),
      reason: field(maybe(text()), "Why the character left, such as `logout` or `disconnect`."),
    }),
    {
      about:
        "A character left the world. The public sees the event only if the game account is " +
        "linked to a user of the site.",
      example: { ...sessionOfMaple, sessionSec: 5_400, reason: "logout" },
      feature: "online",
      isPublic: isLinked,
      restsOn: "links",
      view: plain("serial", "name"),
      feeds: { state: "presence", as: "remove" },
    },
  ),
  "presence.region": staffKind(
    located({
      serial: field(serial(), "Serial of the character."),
      name: field(maybe(text()), "Name of the character."),
      from: field(
        maybe(text()),
        "Name of the region that the character left. Null if it was in none.",
      ),
      to: field(
        maybe(text()),
        "Name of the region that the character entered. Null if it is in none.",
      ),
    }),
    {
      about:
        "A character moved to another region. These events are frequent: a plugin may omit them.",
      example: { ...maple, from: "Luna", to: null, location: luna },
    },
  ),
};
