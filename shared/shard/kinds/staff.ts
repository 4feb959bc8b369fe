import { count, exactText, key, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { accountCharacter, accountFields, instant, located } from "./fields.ts";
import { staffKind } from "./kind.ts";

const helpPage = staffKind(
  located({
    id: key(),
    type: maybe(text()),
    sender: maybe(accountCharacter()),
    message: maybe(text(4_000)),
    sentAt: maybe(instant()),
    handler: maybe(text()),
    responses: maybe(
      listOf(shape({ by: maybe(text()), message: text(4_000), at: maybe(instant()) })),
    ),
    resolution: maybe(text()),
  }),
);

const speed = staffKind(
  located({
    serial: maybe(serial()),
    acct: maybe(exactText()),
    ip: maybe(exactText()),
    count: maybe(count()),
    windowMs: maybe(count()),
    client: maybe(text()),
  }),
);

/** What staff watch and do: help pages, talk, commands, cheats. */
export const staffKinds = {
  "page.open": helpPage,
  "page.update": helpPage,
  "page.close": helpPage,
  "chat.message": staffKind(
    shape({
      channel: maybe(text()),
      serial: maybe(serial()),
      name: maybe(text()),
      text: text(4_000),
    }),
  ),
  speech: staffKind(
    located({
      serial: maybe(serial()),
      name: maybe(text()),
      acct: maybe(exactText()),
      type: maybe(text()),
      text: text(4_000),
      hue: maybe(count()),
    }),
  ),
  "admin.audit": staffKind(
    located({
      actor: shape({ ...accountFields, access: maybe(text()) }),
      command: maybe(text()),
      args: maybe(text(4_000)),
      target: maybe(text()),
    }),
  ),
  "cheat.fastwalk": speed,
  "cheat.speedhack": speed,
  "cheat.multiclient": staffKind(
    shape({ ip: maybe(exactText()), accounts: maybe(listOf(exactText())), limit: maybe(count()) }),
  ),
};
