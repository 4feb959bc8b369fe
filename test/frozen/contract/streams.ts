import type { Statement } from "./statement.ts";

/** What the contract says of events: the shard's stream, push, survival servers and the events module. */
export const streams: readonly Statement[] = [
  {
    says: "The service ingests live shard events over a websocket client to the shard bridge and stores each as a ShardEvent.",
    shownBy: [
      "shard/ingest.test.ts > ingest > stores every event once, in order, and says how far it came",
      "bridge/socket.test.ts > BridgeSocket connects > and hands on hello, gaps, replay, live and events in order",
    ],
  },
  {
    says: "Events are served over Server-Sent Events at `GET /public/shard/stream` (audience-filtered) and `GET /admin/shardlink/stream` (everything).",
    routes: ["GET /public/shard/stream", "GET /admin/shardlink/stream"],
    shownBy: [
      "shard/stream.test.ts > GET /public/shard/stream > shows %s what that rung may see, and says the rung",
      "shard/stream-connections.test.ts > GET /admin/shardlink/stream > carries every streamed event whole, of kinds for staff and of unknown ones too",
    ],
  },
  {
    says: "Each frame is gated on its feature and field-projected for the subscriber's rung.",
    shownBy: [
      "shard/projection.test.ts > projectEvent > carries nothing to a rung below the audience, and all of it from there upwards",
      "shard/projection.test.ts > projectEvent > leaves out what a rule gates above the rung",
    ],
  },
  {
    says: "Staff audit, cheat detection, login attempts, IPs, `acct` and `webId` never reach a caller below their configured rung.",
    shownBy: [
      "shard/canary.test.ts > what is for admins alone > never leaves by a public route or the public stream, whatever the rules say",
      "shard/stream-connections.test.ts > what the public stream keeps to itself > accounts, web ids and addresses, from %s too",
    ],
  },
  {
    says: "The public set is an allowlist, default-deny; an unknown kind is not public.",
    shownBy: [
      "shard/kinds.test.ts > the catalogue of kinds > has the kinds of each feature, and no other kind can go public",
      "shard/ingest.test.ts > ingest > keeps an unknown kind for staff alone",
    ],
  },
  {
    says: "Kinds named: `vendor.sale`, `presence.online`, `points.board`, `world.ruleset`, `admin.audit`, `account.audit`, `account.unlinked` (logged for the admin channel only, never public), `account.login`.",
    shownBy: [
      "shard/kinds.test.ts > checkPayload > takes a good %s as it is",
      "shard/kinds.test.ts > audienceOf > keeps every kind without a feature, known or not, for staff",
    ],
  },
  {
    says: "A player's in-game unlink event reconciles the local link mirror.",
    shownBy: ["shard/links.test.ts > an account that is unlinked in the game > is unlinked here"],
  },
  {
    says: "Public push streams, drawn only from the public stream allowlist: `news.post`, `server.status`, `idoc.warning`, `champ.start`, `governor.election`.",
    deviation:
      "There are more: `site.notice`, `event.started`, `event.completed`, and the two public streams of survival servers.",
    reason:
      "`site.notice` carries what an event's step pushes, the next two tell of announced events, and the contract counts four streams of the survival module.",
    shownBy: [
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
      "shard/kinds.test.ts > the catalogue of kinds > pushes to everyone only what can go public",
    ],
  },
  {
    says: "Personal owner-keyed streams: `vendor.sale`, `house.idoc`, `account.login`.",
    deviation:
      "There are three more: `appeal.update`, `market.match`, and the personal stream of survival servers.",
    reason:
      "They belong to appeals, saved searches of the market and survival servers, for which the contract prints no streams or only their number.",
    shownBy: [
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
      "push/delivery.test.ts > a message > of a personal stream is urgent and kept for a day, and goes to its owner alone",
    ],
  },
  {
    says: "A subscription is per user (`PUT /auth/me/notifications/subscriptions`).",
    routes: ["PUT /auth/me/notifications/subscriptions"],
    shownBy: [
      "push/devices.test.ts > /auth/me/notifications/subscriptions > begins empty, and answers in the catalogue's order, each stream once",
    ],
  },
  {
    says: "Dispatch sends a content-free payload `{ stream, ref }` to each subscribed device.",
    shownBy: [
      "push/delivery.test.ts > a message > holds a stream and a ref alone, encrypted for its device and signed for its relay",
      "push/delivery.test.ts > who is sent a push > everybody who wants its stream, on every device of theirs, once however often it is announced",
    ],
  },
  {
    says: "Full-state upserts fire only on a real transition.",
    shownBy: [
      "push/shard.test.ts > what is no transition reaches none > states told whole: houses at IDOC, vendors and governors, unchanged or seen for the first time",
    ],
  },
  {
    says: "Personal events resolve to the owner through the link mirror.",
    shownBy: [
      "push/shard.test.ts > what happens on the shard reaches exactly the devices it should, once > an account that changes hands: whoever had it when the event was stored",
    ],
  },
  {
    says: "Dispatch never throws.",
    shownBy: [
      "push/delivery.test.ts > who is sent a push > a fault of the queue fails no producer",
      "push/shard.test.ts > a fault in reading what is announced of the shard's events > fails none of them: what was stored with them stands, and what rests on the fault goes out to nobody",
    ],
  },
  {
    says: "Producers: the shard ingest and the post create/publish path (`news.post`).",
    deviation:
      "Appeals, saved searches, events and survival servers produce pushes too, on their own streams.",
    reason: "See the additional streams.",
    shownBy: [
      "push/delivery.test.ts > a post that is published > is told of once, when it can be seen first, and not when it is withdrawn before that",
      "push/shard.test.ts > what happens on the shard reaches exactly the devices it should, once",
    ],
  },
  {
    says: "Ingest frame `server.hello` carries the helper list and `worldReady`.",
    shownBy: [
      "survival/ingest.test.ts > the worlds of a survival server > are told by a wipe, and by a hello after we were away",
      "survival/servers.test.ts > administering survival servers > says how its link stands, and since when",
    ],
  },
  {
    says: "`world.expired` (from protocol 13, recognised by its `what`; recorded as expired in the ledger).",
    shownBy: [
      "survival/announce.test.ts > the ledger > has what ended by itself, by the first of the two frames that tell of it",
    ],
  },
  {
    says: "`plugin.loaded`, `plugin.unloaded` (may mark the permission sync dirty).",
    shownBy: ["survival/pushes.test.ts > the inventory of a server > is asked for again by %s"],
  },
  {
    says: "`lease.expired`.",
    shownBy: [
      "survival/zones.test.ts > a zone > that the game ended by itself has expired, by whichever is heard of first",
    ],
  },
  {
    says: "`config.outcome` (staff kind; carries a log tail).",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > goes out with the secrets of the file, and settles by what its plugin tells",
      "survival/config-editor.test.ts > a configuration write > keeps the last lines of a long log, their beginnings, and no part of a secret",
    ],
  },
  {
    says: "Ingest frames `player.tally`, `perm.inventory`, `perm.sync`.",
    shownBy: [
      "survival/ingest.test.ts > what players have done in a world > is absolute and never falls, however often and late it is told",
      "survival/pushes.test.ts > the inventory of a server > is kept when all its pages are there, in whatever order they come",
      "survival/pushes.test.ts > a push > ends by the frame that tells its outcome, be that before its answer",
    ],
  },
  {
    says: "Ingest frames `map.info`, `map.live`.",
    shownBy: [
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > shows the picture, the grid and the monuments of the world that stands",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > shows staff where players and bases are, and everybody else what happens, on every process",
    ],
  },
  {
    says: "Ingest frames `survival.npc.died`, `survival.npc.health`.",
    shownBy: [
      "survival/notices.test.ts > what happens on a server > names nobody while not everybody may see who is there",
      "survival/notices.test.ts > what happens on a server > is told of a boss that falls, and of another NPC to runs of events alone",
      "survival/notices.test.ts > what happens on a server > is told of health that falls below a step, and of it to runs alone",
    ],
  },
  {
    says: "Staff-class kinds include clan events, `plugin.loaded`, `plugin.unloaded`, `world.expired`, `lease.expired`, `config.outcome`.",
    shownBy: [
      "survival/leaks.test.ts > the public and the players' part of survival servers > %s, tells %s what is theirs, and nothing that is above them",
      "survival/servers.test.ts > administering survival servers > shows staff what a server told of as far as it is declared, and administrators alone change it",
    ],
  },
  {
    says: "Join, respawn, death, chat and tally kinds are presence kinds gated by the presence audience.",
    deviation:
      "The leaderboard, which is made of tallies, is public; a tally never stands in a feed.",
    reason: "The contract lists the leaderboard among the public tabs.",
    shownBy: [
      "survival/servers.test.ts > a survival server as the public sees it > tells in its feed what the caller may see, and where players are to staff alone",
      "survival/servers.test.ts > a survival server as the public sees it > ranks its players, without staff where the server leaves them out",
    ],
  },
  {
    says: "Thirteen engagement triggers are registered.",
    shownBy: [
      "survival/notices.test.ts > the catalogue of events > has the thirteen triggers of the survival servers",
    ],
  },
  {
    says: "Four push streams, three audiences and four bodies are registered.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
      "survival/notices.test.ts > staff > alone may want their stream, and lose it with their role",
    ],
  },
  {
    says: "Announcements go out through `survival.announce` (one server or every server).",
    shownBy: [
      "survival/steps-on-servers.test.ts > a game that said that it cannot do something > is passed over by what is said on all servers",
      "survival/evening.test.ts > an evening on a survival server > brings each of its effects about once, though its worker is killed in each of them and while it waits",
    ],
  },
  {
    says: "Zone steps use `survival.zone.open`.",
    shownBy: [
      "survival/zones.test.ts > zone presets > are kept while a step of an event opens them, and for administrators alone",
      "survival/evening.test.ts > an evening on a survival server > brings each of its effects about once, though its worker is killed in each of them and while it waits",
    ],
  },
  {
    says: "The participation and kit-reward verbs are `survival.participation.open`, `survival.participation.collect`, `survival.kit.entitle`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
      "survival/rewards.test.ts > who took part > is counted once for a step, collected once, and stays as it was collected",
      "survival/steps-on-servers.test.ts > a kit of a step > goes to the game in the name of whoever started the run, and what else waits in that of the site",
    ],
  },
  {
    says: "Replayed events are announced only while news (15 minutes for broadcasts, 24 hours for personal and staff events).",
    shownBy: [
      "push/delivery.test.ts > who is sent a push > nobody hears what is no news any more, nor is what is ahead of us taken for old",
      "push/shard.test.ts > what is no transition reaches none > what was news while nobody listened: old by the time it is stored",
    ],
  },
  {
    says: "Dedupe keys derive from the event, not the sidecar row id.",
    shownBy: [
      "push/shard.test.ts > what is no transition reaches none > the same events in a new buffer, in a replay and said again on the socket",
      "survival/notices.test.ts > a frame that is met again > is told once, by its own key",
    ],
  },
  {
    says: "Server online/offline and a new kills leader are in-memory transitions, never fired on first sight; a tie is not a lead.",
    deviation: "The leader in kills is kept in the database, by owner of the server's stream.",
    reason:
      "The leader changes in the transaction that stores the tally; a new owner of the stream sees it for the first time.",
    shownBy: [
      "survival/watch.test.ts > a server that is looked at > is told of to nobody at first sight, whether it is there or away",
      "survival/notices.test.ts > the leader in kills > is told once somebody has more than all others, and not again while the lead grows",
      "survival/notices.test.ts > what happens on a server > is told to nobody at first sight",
    ],
  },
  {
    says: "Public event triggers carry `eventUrl` (trigger version 2), which includes `?run=<run_id>`.",
    shownBy: [
      "events/event-triggers.test.ts > triggers of events > tell that a run begins, enters each phase and is complete, with the address of its page",
      "events/event-triggers.test.ts > triggers of events > have version 2 in the catalogue, and all others version 1",
    ],
  },
  {
    says: "Triggers usable as phase advance conditions are those served by the catalog endpoint, including `survival.npc.died` and `survival.npc.health`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
      "events/event-triggers.test.ts > triggers of events > open a gate that waits for %s in the scope %s, and fill its templates",
      "survival/notices.test.ts > the catalogue of events > has the thirteen triggers of the survival servers",
    ],
  },
  {
    says: "Run log kinds: list is served by `GET /admin/events/runs/:runId/log` as `kinds`; an authorization refusal has its own kind.",
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
      "events/engine.test.ts > what a run may do > is looked up when it acts: the switchboard and the role of who started it",
    ],
  },
  {
    says: "Activity-log actions written by the event routes: `event.series.created|updated|deleted`, `event.definition.created|updated|published|verified|archived`, `event.action.configured`, `event.run.created|paused|resumed|advanced|cancelled`, `event.step.confirmed|skipped|retried`.",
    shownBy: [
      "events/activity.test.ts > the activity log > has one line for each thing that a person does under /admin/events, and says who, what and to which",
      "events/activity.test.ts > the activity log > has no line for what is read, refused, or changes nothing",
    ],
  },
  {
    says: "Activity-log action `auth.logout`.",
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends this session in every process, and no other",
    ],
  },
  {
    says: "Outbound e-mails: password reset and invite; failure is soft when e-mail is unconfigured.",
    deviation:
      "Users are also written to when a name, an address, a password or a second factor of theirs changes, when an account at a provider is linked, and when a used refresh token comes back.",
    reason: "A user learns by mail of a change that somebody else made.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link whose token opens the page it leads to",
      "auth/invites.test.ts > POST /admin/invites > mails a link that opens the invitation",
      "auth/password-reset.test.ts > without a mail server > answers as ever, when mail is off and when the server is away",
      "auth/notices.test.ts > a user",
    ],
  },
  {
    says: "Webhooks: none stated beyond the above.",
    deviation: "Administrators may add webhooks, to which the site posts what everybody may see.",
    reason: "Webhooks are an addition: nothing is posted until an administrator makes one.",
    shownBy: [
      "webhooks/delivery.test.ts > a message > costs nothing while there is no webhook",
      "webhooks/delivery.test.ts > a message > is signed as Standard Webhooks has it, and says what happened once, however often it is announced",
    ],
  },
];
