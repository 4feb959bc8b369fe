import {
  count,
  countsByName,
  verbatimText,
  field,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { countsView, gatedView, renamedView, plainViews, valueView } from "../visibility/view.ts";
import {
  birchCharacter,
  schemaWithLocation,
  locationFields,
  lunaLocation,
  mapleCharacter,
  wildernessLocation,
} from "./fields.ts";
import { type EventAudienceContext, definePublicKind, defineStaffKind } from "./kind.ts";

const character = {
  serial: field(serialField(), "Serial of the character."),
  name: field(text(), "Name of the character."),
  acct: field(nullish(verbatimText()), "Name of the character's game account."),
};

const session = {
  ...character,
  ip: field(nullish(verbatimText()), "IP address from which the player is connected."),
  race: field(nullish(text()), "Race, such as `Human`, `Elf` or `Gargoyle`."),
  guildId: field(
    nullish(count()),
    "Id of the character's guild. Null if the character has no guild.",
  ),
};

const player = objectSchema({ ...character, ...locationFields });

const sessionOfMaple = {
  ...mapleCharacter,
  acct: "maple",
  ip: "203.0.113.7",
  race: "Human",
  guildId: 17,
  location: lunaLocation,
};

/** The public sees only characters whose account is linked to a user of the site. */
const isLinked = (_: object, { linked }: EventAudienceContext): boolean => linked;

/** Events of presence. Counts and names of linked characters are public; other fields are for staff. */
export const presenceKinds = {
  "presence.online": definePublicKind(
    objectSchema({
      count: field(count(), "Number of characters in the world."),
      byMap: field(
        nullish(countsByName()),
        "Number of characters on each facet, by the name of the facet.",
      ),
      byRegion: field(
        nullish(countsByName()),
        "Number of characters in each region, by the name of the region.",
      ),
      players: field(
        nullish(listOf(player)),
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
          { ...mapleCharacter, acct: "maple", ...lunaLocation },
          { ...birchCharacter, acct: "birch", ...wildernessLocation },
        ],
      },
      feature: "presence",
      view: {
        count: valueView,
        facets: renamedView("byMap", countsView),
        regions: gatedView("byRegion", renamedView("byRegion", countsView)),
      },
      feeds: { state: "presence", as: "upsert" },
    },
  ),
  "presence.login": definePublicKind(schemaWithLocation(session), {
    about:
      "A character entered the world. The public sees the event only if the game account is " +
      "linked to a user of the site.",
    example: sessionOfMaple,
    feature: "online",
    isPublic: isLinked,
    restsOn: "links",
    view: plainViews("serial", "name"),
    feeds: { state: "presence", as: "merge" },
  }),
  "presence.logout": definePublicKind(
    schemaWithLocation({
      ...session,
      sessionSec: field(
        nullish(count()),
        "Number of seconds for which the character was in the world.",
      ),
      reason: field(nullish(text()), "Why the character left, such as `logout` or `disconnect`."),
    }),
    {
      about:
        "A character left the world. The public sees the event only if the game account is " +
        "linked to a user of the site.",
      example: { ...sessionOfMaple, sessionSec: 5_400, reason: "logout" },
      feature: "online",
      isPublic: isLinked,
      restsOn: "links",
      view: plainViews("serial", "name"),
      feeds: { state: "presence", as: "remove" },
    },
  ),
  "presence.region": defineStaffKind(
    schemaWithLocation({
      serial: field(serialField(), "Serial of the character."),
      name: field(nullish(text()), "Name of the character."),
      from: field(
        nullish(text()),
        "Name of the region that the character left. Null if the character was in no region.",
      ),
      to: field(
        nullish(text()),
        "Name of the region that the character entered. Null if the character is in no region.",
      ),
    }),
    {
      about:
        "A character moved to another region. These events are frequent: a plugin may omit them.",
      example: { ...mapleCharacter, from: "Luna", to: null, location: lunaLocation },
    },
  ),
};
