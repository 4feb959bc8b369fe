import type { Statement } from "./statement.ts";

/** What the contract says of limits. */
export const limits: readonly Statement[] = [
  {
    says: "Trusted devices per user: 10, never pruned silently.",
    deviation: "`TRUST_DEVICE_MAX` may set another number.",
    reason: "A deployment may want fewer.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the cap with nothing used up, so that the same may be sent without it",
      "auth/configured-limits.test.ts > a second factor whose numbers were set > is skipped by so many devices, for so long",
    ],
  },
  {
    says: "Trusted-device duration: 30 days.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is none after its thirty days",
      "auth/second-factor.test.ts > a trusted device > survives logging out and is listed under a name",
    ],
  },
  {
    says: "Password-reset token: 32 random bytes; about 1 hour TTL; single use.",
    shownBy: [
      "auth/tokens.test.ts > an opaque token > holds 256 random bits, is safe in a URL and never comes twice",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link whose token opens the page it leads to",
      "auth/password-reset.test.ts > POST /auth/password/forgot > leaves older links good until one is used",
    ],
  },
  {
    says: "Market `q`: max 60 characters.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > refuses what is out of bounds, and names it",
    ],
  },
  {
    says: "Market `limit`: 1 to 100, default 50; `offset` default 0.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > refuses what is out of bounds, and names it",
      "shard/market.test.ts > a market nobody has spoken of > is empty, and no error",
    ],
  },
  {
    says: "Vendor listings `limit`: 1 to 500, default 250; `offset` default 0.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 400 for what is no serial and for a page out of bounds",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > shows 250 listings of a vendor where no limit is asked for",
    ],
  },
  {
    says: "Item art warm `limit`: 1 to 2000.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > refuses who is no administrator, and limits out of range",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > asks in slices of 200 up to the limit, for what most listings show first",
    ],
  },
  {
    says: "`vanished` keys reported: up to 50.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > names fifty of the keys that are gone and counts all, in the order of their numbers",
    ],
  },
  {
    says: "Points board `top`: capped by the shard, 10 by default.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > answer one board whole, and an empty one with an empty top",
    ],
  },
  {
    says: "Game clan list: ceiling of 100 clans per board; a board at the ceiling proves nothing about clans it omits.",
    shownBy: [
      "survival/clans.test.ts > a board of clans > of %i clans says nothing of those that it leaves out",
      "survival/clans.test.ts > a board of clans > has the ceiling that the server was asked for, and never a higher one",
      "survival/clan-pages.test.ts > the board of clans > says nothing of what it leaves out at its ceiling",
    ],
  },
  {
    says: "Link-code poll: servers that minted a code in the last 6 minutes are asked first.",
    deviation:
      "The one server whose plugin announced the hash of the code is asked, and no other. An announcement counts for ten minutes.",
    reason: "A server that is asked learns the code, and could use it on the server that made it.",
    shownBy: [
      "survival/steam-links.test.ts > the server that is asked > is the one that said it made the code, and no other",
      "survival/steam-links.test.ts > the server that is asked > is asked for ten minutes at most, and a code told again lives no longer",
    ],
  },
  {
    says: "Map live: one update per server per 5 seconds.",
    shownBy: [
      "survival/live-hand-over.test.ts > positions that a game tells all the time > are handed over once in an interval, however many frames tell them",
      "ops/environment.test.ts > .env.example > shows the default of %s",
    ],
  },
  {
    says: "Push dedupe: 15 minutes broadcast, 24 hours personal and staff.",
    deviation:
      "The times are the age up to which an event is news. What was announced is known for thirty days by the key of its event.",
    reason:
      "Two starts of one altar within 15 minutes are two events; one event that is replayed after a day is still the same.",
    shownBy: [
      "push/delivery.test.ts > who is sent a push > nobody hears what is no news any more, nor is what is ahead of us taken for old",
      "push/keeping.test.ts > what was announced > is known for thirty days, so that what repeats it reaches nobody",
    ],
  },
  {
    says: "Chat titles: 23 ranked categories plus playtime.",
    shownBy: [
      "survival/titles.test.ts > the categories of titles > are 23 ranked ones and the time played",
      "survival/title-rules.test.ts > the categories of titles > are 24, of which playtime is not ranked",
    ],
  },
  {
    says: "Rate limit: `/auth/mobile/sso/start` per IP and provider; `/auth/mobile/sso/exchange` per IP.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > is limited for one address and provider, and so is the exchange",
    ],
  },
  {
    says: "Rate limit: dedicated limiters on password request and confirm.",
    shownBy: [
      "auth/throttle.test.ts > further limits > let an address ask five times for a reset link",
      "auth/throttle.test.ts > further limits > let an address try ten reset links, looked at or used",
    ],
  },
  {
    says: "Rate limit: the link-code route has its own limiter.",
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > has a limit of its own for each user",
      "survival/steam-links.test.ts > wrong codes > are counted for the address of several users",
    ],
  },
  {
    says: "Rate limit: login has slow-down plus rate cap.",
    shownBy: [
      "auth/throttle.test.ts > a slowed address > waits longer for its answer than one that fails for the first time",
      "auth/throttle.test.ts > sign-ins of one address > are refused after thirty, though all were right",
    ],
  },
  {
    says: "Rate limit: the market answers 429.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers 429 to an address that searches too often, and tells what is left",
    ],
  },
  {
    says: "Event spec limits are served by `GET /admin/events/catalog`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
      "events/spec.test.ts > a spec > has at most 200 steps, 25 in a phase, in 20 phases",
    ],
  },
  {
    says: "Each action may have per-dimension caps in the switchboard; a run copies its caps when created.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the tightest cap, and writes who created it",
    ],
  },
  {
    says: "Spend is checked atomically (two concurrent spends against one cap cannot both succeed).",
    shownBy: [
      "events/budgets.test.ts > a budget > is never passed, however many steps of a run ask at once",
    ],
  },
  {
    says: "Default enablement is by risk class: actions that only notify or inspect default on, actions that change the world default off.",
    shownBy: [
      "events/authoring.test.ts > the switchboard > has what changes the world off, and the rest on, until somebody decides",
    ],
  },
  {
    says: "The same line is the role floor.",
    shownBy: [
      "events/engine.test.ts > what a run may do > is looked up when it acts: the switchboard and the role of who started it",
      "events/starter.test.ts > who started a run > is whose rights count, and not who wrote or published its event",
    ],
  },
];
