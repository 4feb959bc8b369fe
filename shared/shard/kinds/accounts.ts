import {
  exactText,
  flag,
  integer,
  large,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { staffKind } from "./kind.ts";

/** Game accounts: for admins alone, but that an owner may be told of a sign-in. */
export const accountKinds = {
  "account.login": staffKind(
    shape({ acct: exactText(), ip: maybe(exactText()), ok: flag(), reason: maybe(text()) }),
    {
      push: {
        personal: { stream: "account.login", owner: "acct" },
        isNews: ({ ok }) => ok,
      },
    },
  ),
  "account.audit": staffKind(
    shape({ acct: exactText(), action: text(), by: maybe(text()), detail: maybe(text(4_000)) }),
    { feeds: { state: "punishments", as: "merge" } },
  ),
  "account.created": staffKind(
    shape({ acct: exactText(), ip: maybe(exactText()), via: maybe(text()) }),
  ),
  "account.linked": staffKind(
    shape({ acct: exactText(), webId: maybe(integer()), by: maybe(text()) }),
    {
      feeds: { state: "links", as: "merge" },
    },
  ),
  "account.unlinked": staffKind(
    shape({ acct: exactText(), webId: maybe(integer()), by: maybe(text()) }),
    { feeds: { state: "links", as: "remove" } },
  ),
  "account.gold": staffKind(shape({ acct: exactText(), old: maybe(large()), new: maybe(large()) })),
  "ip.limit": staffKind(
    shape({ ip: exactText(), accounts: maybe(listOf(exactText())), limit: maybe(integer()) }),
  ),
};
