import {
  count,
  counted,
  exactText,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { counts, gated, named, plain, value } from "../values/view.ts";
import { located, locationFields } from "./fields.ts";
import { type Facts, publicKind, staffKind } from "./kind.ts";

const session = {
  serial: serial(),
  name: text(),
  acct: maybe(exactText()),
  ip: maybe(exactText()),
  race: maybe(text()),
  guildId: maybe(count()),
};

const player = shape({
  serial: serial(),
  name: text(),
  acct: maybe(exactText()),
  ...locationFields,
});

/** Only characters that a user of the site has linked are shown to others. */
const isLinked = (_: object, { linked }: Facts): boolean => linked;

/** Who is in the world: counts for everyone, names of linked characters, the rest for staff. */
export const presenceKinds = {
  "presence.online": publicKind(
    shape({
      count: count(),
      byMap: maybe(counted()),
      byRegion: maybe(counted()),
      players: maybe(listOf(player)),
    }),
    {
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
    feature: "online",
    isPublic: isLinked,
    restsOn: "links",
    view: plain("serial", "name"),
    feeds: { state: "presence", as: "merge" },
  }),
  "presence.logout": publicKind(
    located({ ...session, sessionSec: maybe(count()), reason: maybe(text()) }),
    {
      feature: "online",
      isPublic: isLinked,
      restsOn: "links",
      view: plain("serial", "name"),
      feeds: { state: "presence", as: "remove" },
    },
  ),
  "presence.region": staffKind(
    located({ serial: serial(), name: maybe(text()), from: maybe(text()), to: maybe(text()) }),
  ),
};
