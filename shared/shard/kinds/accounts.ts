import {
  exactText,
  field,
  flag,
  integer,
  large,
  listOf,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { staffKind } from "./kind.ts";

const acct = field(exactText(), "Name of the game account.");
const ip = field(maybe(exactText()), "IP address from which the player connected.");
const link = {
  acct,
  webId: field(
    maybe(integer()),
    "Id of the user of the site to whom the account is or was linked.",
  ),
  by: field(maybe(text()), "Who created or removed the link: `player`, `staff` or `site`."),
};

/** Events of game accounts. Only admins see them; an owner may get a push about a sign-in. */
export const accountKinds = {
  "account.login": staffKind(
    shape({
      acct,
      ip,
      ok: field(flag(), "Whether the sign-in succeeded."),
      reason: field(maybe(text()), "Why the sign-in failed. Null if it succeeded."),
    }),
    {
      about: "A player signed in to a game account, or failed to sign in.",
      example: { acct: "maple", ip: "203.0.113.7", ok: true, reason: null },
      push: {
        personal: { stream: "account.login", owner: "acct" },
        isPushed: ({ ok }) => ok,
      },
    },
  ),
  "account.audit": staffKind(
    shape({
      acct,
      action: field(
        text(),
        "Change of the account: `created`, `banned`, `unbanned`, `password`, `access` or " +
          "`deleted`.",
      ),
      by: field(
        maybe(text()),
        "Game account of the person who made the change. Null if the server made it.",
      ),
      detail: field(
        maybe(text(4_000)),
        "Details of the change. For `banned`: the reason of the ban, such as `reason` of `POST " +
          "/v1/ban`.",
      ),
    }),
    {
      about: "A game account was created, changed, banned, unbanned or deleted.",
      example: { acct: "birch", action: "banned", by: "gm_aldor", detail: "Speed hack" },
      feeds: { state: "punishments", as: "merge" },
    },
  ),
  "account.created": staffKind(
    shape({
      acct,
      ip,
      via: field(maybe(text()), "Where the account was created: `game` or `website`."),
    }),
    {
      about: "A game account was created.",
      example: { acct: "maple", ip: "203.0.113.7", via: "website" },
    },
  ),
  "account.linked": staffKind(shape(link), {
    about: "A game account was linked to a user of the site.",
    example: { acct: "maple", webId: 42, by: "player" },
    feeds: { state: "links", as: "merge" },
  }),
  "account.unlinked": staffKind(shape(link), {
    about: "The link between a game account and a user of the site was removed.",
    example: { acct: "maple", webId: 42, by: "staff" },
    feeds: { state: "links", as: "remove" },
  }),
  "account.gold": staffKind(
    shape({
      acct,
      old: field(maybe(large()), "Gold of the account before the change, in coins."),
      new: field(maybe(large()), "Gold of the account after the change, in coins."),
    }),
    {
      about: "The amount of gold in the bank of a game account changed.",
      example: { acct: "maple", old: 1_000_000, new: 3_000_000_000 },
    },
  ),
  "ip.limit": staffKind(
    shape({
      ip: field(exactText(), "IP address that reached the limit."),
      accounts: field(
        maybe(listOf(exactText())),
        "Names of the game accounts that use the IP address.",
      ),
      limit: field(maybe(integer()), "Maximum number of game accounts for one IP address."),
    }),
    {
      about: "An IP address reached the maximum number of game accounts.",
      example: { ip: "203.0.113.9", accounts: ["birch", "rowan"], limit: 1 },
    },
  ),
};
