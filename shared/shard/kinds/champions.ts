import { count, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { gated, list, plain, type View } from "../values/view.ts";
import { instant, located, locationView } from "./fields.ts";
import { publicKind } from "./kind.ts";

/** `id` is the serial of the altar. */
const altar = {
  id: serial(),
  name: maybe(text()),
  type: maybe(text()),
  group: maybe(text()),
  map: maybe(text()),
};

const altarView: View = { ...plain("id", "name", "type", "group", "map"), location: locationView };

const damager = shape({ serial: serial(), name: maybe(text()), damage: maybe(count()) });

/** Champion spawns: a start, its way through the levels, the boss, an end. */
export const championKinds = {
  "champ.start": publicKind(
    located({ ...altar, level: maybe(count()), startLevel: maybe(count()) }),
    {
      feature: "champions",
      view: { ...altarView, ...plain("level", "startLevel") },
      push: { public: "champ.start", refOf: ({ id }) => id },
    },
  ),
  "champ.progress": publicKind(
    located({
      ...altar,
      level: maybe(count()),
      rank: maybe(count()),
      kills: maybe(count()),
      maxKills: maybe(count()),
      whiteSkulls: maybe(count()),
    }),
    {
      feature: "champions",
      view: { ...altarView, ...plain("level", "rank", "kills", "maxKills", "whiteSkulls") },
    },
  ),
  "champ.boss": publicKind(
    located({ ...altar, champion: maybe(text()), serial: maybe(serial()) }),
    {
      feature: "champions",
      view: { ...altarView, ...plain("champion", "serial") },
    },
  ),
  "champ.end": publicKind(
    located({
      ...altar,
      outcome: text(),
      durationSec: maybe(count()),
      damagers: maybe(listOf(damager)),
      restartAt: maybe(instant()),
    }),
    {
      feature: "champions",
      view: {
        ...altarView,
        ...plain("outcome", "durationSec", "restartAt"),
        damagers: gated("damagers", list(plain("serial", "name", "damage"))),
      },
    },
  ),
};
