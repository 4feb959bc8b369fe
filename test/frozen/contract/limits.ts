import type { Statement } from "./statement.ts";

export const limits: readonly Statement[] = [
  {
    says: "Trusted devices per user: 10, never pruned silently.",
    deviation: "`TRUST_DEVICE_MAX` may set another number.",
    reason: "A deployment may want fewer.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the limit without using up the code, which then works without trusting the browser",
      "auth/configured-limits.test.ts > a second factor with configured limits > is skipped by the configured number of trusted devices, for the configured time",
    ],
  },
  {
    says: "Trusted-device duration: 30 days.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is not trusted after its expiry",
      "auth/second-factor.test.ts > a trusted device > survives a log-out and is listed with a browser label",
    ],
  },
  {
    says: "Password-reset token: 32 random bytes; about 1 hour TTL; single use.",
    shownBy: [
      "auth/tokens.test.ts > an opaque token > has 256 random bits, is safe in a URL and is unique",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link with a valid token",
      "auth/password-reset.test.ts > POST /auth/password/forgot > keeps older links valid until one of them is used",
    ],
  },
  {
    says: "Market `q`: max 60 characters.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers 400 to a parameter out of bounds, and names the parameter",
    ],
  },
  {
    says: "Market `limit`: 1 to 100, default 50; `offset` default 0.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers 400 to a parameter out of bounds, and names the parameter",
      "shard/market.test.ts > a market without any events > is empty and answers without an error",
    ],
  },
  {
    says: "Vendor listings `limit`: 1 to 500, default 250; `offset` default 0.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 400 for an invalid serial and for a page out of bounds",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > returns at most 250 listings if no limit is given",
    ],
  },
  {
    says: "Item art warm `limit`: 1 to 2000.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > refuses a caller who is not an administrator, and a limit out of range",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > requests pictures in slices of 200 up to the limit, beginning with the pictures of the most listed items",
    ],
  },
  {
    says: "`vanished` keys reported: up to 50.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > names fifty of the vanished keys in numeric order, and counts all of them",
    ],
  },
  {
    says: "Points board `top`: capped by the shard, 10 by default.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > answer one board in full, and an empty board with an empty top",
    ],
  },
  {
    says: "Game clan list: ceiling of 100 clans per board; a board at the ceiling proves nothing about clans it omits.",
    shownBy: [
      "survival/clans.test.ts > a clan board that a game sends > marks no omitted clan as disbanded if it has %i clans",
      "survival/clans.test.ts > a clan board that a game sends > uses the limit that was requested, but never a higher limit",
      "survival/clan-pages.test.ts > the clan board of a server > keeps clans that it omits if it lists as many clans as its limit",
    ],
  },
  {
    says: "Link-code poll: servers that minted a code in the last 6 minutes are asked first.",
    deviation:
      "The one server whose plugin announced the hash of the code is asked, and no other. An announcement counts for ten minutes.",
    reason: "A server that is asked learns the code, and could use it on the server that made it.",
    shownBy: [
      "survival/steam-links.test.ts > the game server that checks a link code > is only the server that announced the code",
      "survival/steam-links.test.ts > the game server that checks a link code > is asked about a code for ten minutes at most, even if it announces the code again",
    ],
  },
  {
    says: "Map live: one update per server per 5 seconds.",
    shownBy: [
      "survival/live-hand-over.test.ts > live positions from a game > are published once in each interval, however many frames contain them",
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
      "push/delivery.test.ts > the recipients of a push > get no message about an event that is too old, but get a message about an event in the future",
      "push/keeping.test.ts > an announcement > is remembered for thirty days, so that the same announcement causes no second message",
    ],
  },
  {
    says: "Chat titles: 23 ranked categories plus playtime.",
    shownBy: [
      "survival/titles.test.ts > the title categories > are 23 ranked categories and playtime",
      "survival/title-rules.test.ts > the title categories > are 24, of which all but playtime are ranked",
    ],
  },
  {
    says: "Rate limit: `/auth/mobile/sso/start` per IP and provider; `/auth/mobile/sso/exchange` per IP.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > is limited per address and provider, and so is the token exchange",
    ],
  },
  {
    says: "Rate limit: dedicated limiters on password request and confirm.",
    shownBy: [
      "auth/throttle.test.ts > limits on requests other than sign-ins > allow an address five requests for a reset link",
      "auth/throttle.test.ts > limits on requests other than sign-ins > allow an address ten tries of reset links, viewed or used",
    ],
  },
  {
    says: "Rate limit: the link-code route has its own limiter.",
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > limits the requests of each user separately",
      "survival/steam-links.test.ts > wrong link codes > count toward one limit if several users enter them from one address",
    ],
  },
  {
    says: "Rate limit: login has slow-down plus rate cap.",
    shownBy: [
      "auth/throttle.test.ts > a slowed address > waits longer for its answer than an address that fails for the first time",
      "auth/throttle.test.ts > sign-ins of one address > are refused after thirty, even if all succeeded",
    ],
  },
  {
    says: "Rate limit: the market answers 429.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers 429 with Retry-After to an address that searches too often",
    ],
  },
  {
    says: "Event spec limits are served by `GET /admin/events/catalog`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
      "events/spec.test.ts > an event spec > has at most 200 steps, 25 in a phase, in 20 phases",
    ],
  },
  {
    says: "Each action may have per-dimension caps in the switchboard; a run copies its caps when created.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the lowest cap of the actions of the event, and logs who created the run",
    ],
  },
  {
    says: "Spend is checked atomically (two concurrent spends against one cap cannot both succeed).",
    shownBy: [
      "events/budgets.test.ts > a run's budget > is never exceeded by simultaneous steps of the run",
    ],
  },
  {
    says: "Default enablement is by risk class: actions that only notify or inspect default on, actions that change the world default off.",
    shownBy: [
      "events/authoring.test.ts > the settings of event actions > have actions that change the world off, and the others on, by default",
    ],
  },
  {
    says: "The same line is the role floor.",
    shownBy: [
      "events/engine.test.ts > the rights of a run > are checked at each step, whose action must be enabled and allowed for the role of the starter",
      "events/starter.test.ts > the starter of a run > gives the run its rights, whoever wrote or published the event",
    ],
  },
];
