import { serial } from "../serial.ts";
import { counts, gated, named, plain, value } from "../view.ts";
import { count, counted, listOf, maybe, placed, placeFields, shape, text } from "./fields.ts";
import { type Facts, publicKind, staffKind } from "./kind.ts";

const session = {
  serial: serial(),
  name: text(),
  acct: maybe(text()),
  ip: maybe(text()),
  race: maybe(text()),
  guildId: maybe(count()),
};

const player = shape({ serial: serial(), name: text(), acct: maybe(text()), ...placeFields });

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
  "presence.login": publicKind(placed(session), {
    feature: "online",
    isPublic: isLinked,
    view: plain("serial", "name"),
    feeds: { state: "presence", as: "change" },
  }),
  "presence.logout": publicKind(
    placed({ ...session, sessionSec: maybe(count()), reason: maybe(text()) }),
    {
      feature: "online",
      isPublic: isLinked,
      view: plain("serial", "name"),
      feeds: { state: "presence", as: "change" },
    },
  ),
  "presence.region": staffKind(
    placed({ serial: serial(), name: maybe(text()), from: maybe(text()), to: maybe(text()) }),
  ),
};
