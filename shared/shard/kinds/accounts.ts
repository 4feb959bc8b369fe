import {
  verbatimText,
  field,
  flag,
  integer,
  largeCount,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { defineStaffKind } from "./kind.ts";

const acct = field(verbatimText(), "Name of the game account.");
const ip = field(nullish(verbatimText()), "IP address from which the player connected.");
const link = {
  acct,
  webId: field(
    nullish(integer()),
    "Id of the user of the site to whom the account is or was linked.",
  ),
  by: field(nullish(text()), "Who created or removed the link: `player`, `staff` or `site`."),
};

/** Events of game accounts. Only admins see them; an owner may get a push about a sign-in. */
export const accountKinds = {
  "account.login": defineStaffKind(
    objectSchema({
      acct,
      ip,
      ok: field(flag(), "Whether the sign-in succeeded."),
      reason: field(nullish(text()), "Why the sign-in failed. Null if it succeeded."),
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
  "account.audit": defineStaffKind(
    objectSchema({
      acct,
      action: field(
        text(),
        "Change of the account: `created`, `banned`, `unbanned`, `password`, `access` or " +
          "`deleted`.",
      ),
      by: field(
        nullish(text()),
        "Game account of the person who made the change. Null if the server made the change.",
      ),
      detail: field(
        nullish(text(4_000)),
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
  "account.created": defineStaffKind(
    objectSchema({
      acct,
      ip,
      via: field(nullish(text()), "Where the account was created: `game` or `website`."),
    }),
    {
      about: "A game account was created.",
      example: { acct: "maple", ip: "203.0.113.7", via: "website" },
    },
  ),
  "account.linked": defineStaffKind(objectSchema(link), {
    about: "A game account was linked to a user of the site.",
    example: { acct: "maple", webId: 42, by: "player" },
    feeds: { state: "links", as: "merge" },
  }),
  "account.unlinked": defineStaffKind(objectSchema(link), {
    about: "The link between a game account and a user of the site was removed.",
    example: { acct: "maple", webId: 42, by: "staff" },
    feeds: { state: "links", as: "remove" },
  }),
  "account.gold": defineStaffKind(
    objectSchema({
      acct,
      old: field(nullish(largeCount()), "Gold of the account before the change, in coins."),
      new: field(nullish(largeCount()), "Gold of the account after the change, in coins."),
    }),
    {
      about: "The amount of gold in the bank of a game account changed.",
      example: { acct: "maple", old: 1_000_000, new: 3_000_000_000 },
    },
  ),
  "ip.limit": defineStaffKind(
    objectSchema({
      ip: field(verbatimText(), "IP address that reached the limit."),
      accounts: field(
        nullish(listOf(verbatimText())),
        "Names of the game accounts that use the IP address.",
      ),
      limit: field(nullish(integer()), "Maximum number of game accounts for one IP address."),
    }),
    {
      about: "An IP address reached the maximum number of game accounts.",
      example: { ip: "203.0.113.9", accounts: ["birch", "rowan"], limit: 1 },
    },
  ),
};
