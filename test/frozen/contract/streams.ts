import type { Statement } from "./statement.ts";

/** The contract's statements on events: the shard's stream, push, survival servers and the events module. */
export const streams: readonly Statement[] = [
  {
    says: "The service ingests live shard events over a websocket client to the shard bridge and stores each as a ShardEvent.",
    shownBy: [
      "shard/ingest.test.ts > ingest > stores every event once and in order, and reports the link as connected",
      "bridge/socket.test.ts > a connection of BridgeSocket > passes on hello, gaps, replay, live and events in order",
    ],
  },
  {
    says: "Events are served over Server-Sent Events at `GET /public/shard/stream` (audience-filtered) and `GET /admin/shardlink/stream` (everything).",
    routes: ["GET /public/shard/stream", "GET /admin/shardlink/stream"],
    shownBy: [
      "shard/stream.test.ts > GET /public/shard/stream > shows %s the data that this access level may see, and names the level",
      "shard/stream-connections.test.ts > GET /admin/shardlink/stream > carries every streamed event in full, including staff kinds and unknown kinds",
    ],
  },
  {
    says: "Each frame is gated on its feature and field-projected for the subscriber's rung.",
    shownBy: [
      "shard/projection.test.ts > projectEvent > gives an event to the access levels at or above the audience, and to no lower level",
      "shard/projection.test.ts > projectEvent > omits fields that a rule gates above the caller's access level",
    ],
  },
  {
    says: "Staff audit, cheat detection, login attempts, IPs, `acct` and `webId` never reach a caller below their configured rung.",
    shownBy: [
      "shard/canary.test.ts > data that only admins may see > is shown by no public route and on no public stream, whatever the visibility rules are",
      "shard/stream-connections.test.ts > the public stream > hides accounts, web ids and addresses from %s",
    ],
  },
  {
    says: "The public set is an allowlist, default-deny; an unknown kind is not public.",
    shownBy: [
      "shard/kinds.test.ts > the catalog of event kinds > lists the kinds of each feature, and no other kind can be public",
      "shard/ingest.test.ts > ingest > stores an event of an unknown kind for staff only",
    ],
  },
  {
    says: "Kinds named: `vendor.sale`, `presence.online`, `points.board`, `world.ruleset`, `admin.audit`, `account.audit`, `account.unlinked` (logged for the admin channel only, never public), `account.login`.",
    shownBy: [
      "shard/kinds.test.ts > checkPayload > accepts a valid %s unchanged",
      "shard/kinds.test.ts > decideReach > keeps every kind without a feature, known or unknown, for staff",
    ],
  },
  {
    says: "A player's in-game unlink event reconciles the local link mirror.",
    shownBy: [
      "shard/links.test.ts > an account that is unlinked in the game > is unlinked on the site",
    ],
  },
  {
    says: "Public push streams, drawn only from the public stream allowlist: `news.post`, `server.status`, `idoc.warning`, `champ.start`, `governor.election`.",
    deviation:
      "There are more: `site.notice`, `event.started`, `event.completed`, and the two public streams of survival servers.",
    reason:
      "`site.notice` carries what an event's step pushes, the next two tell of announced events, and the contract counts four streams of the survival module.",
    shownBy: [
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
      "shard/kinds.test.ts > the catalog of event kinds > pushes to everyone only kinds that can be public",
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
      "push/delivery.test.ts > a push message > has urgency high and a lifetime of a day, and goes only to the owner if its stream is personal",
    ],
  },
  {
    says: "A subscription is per user (`PUT /auth/me/notifications/subscriptions`).",
    routes: ["PUT /auth/me/notifications/subscriptions"],
    shownBy: [
      "push/devices.test.ts > /auth/me/notifications/subscriptions > starts empty, and answers each stream once in the catalog's order",
    ],
  },
  {
    says: "Dispatch sends a content-free payload `{ stream, ref }` to each subscribed device.",
    shownBy: [
      "push/delivery.test.ts > a push message > holds only a stream and a ref, encrypted for its device and signed for its relay",
      "push/delivery.test.ts > the recipients of a push > are all devices of every subscriber, once each, however often the push is announced",
    ],
  },
  {
    says: "Full-state upserts fire only on a real transition.",
    shownBy: [
      "push/shard.test.ts > shard events and states that cause no push > are full states of houses, vendors and governors, unchanged or seen for the first time",
    ],
  },
  {
    says: "Personal events resolve to the owner through the link mirror.",
    shownBy: [
      "push/shard.test.ts > a push for a shard event > goes to the user who owned the account when the event was stored, even if the account changes hands later",
    ],
  },
  {
    says: "Dispatch never throws.",
    shownBy: [
      "push/delivery.test.ts > the recipients of a push > get no message if the queue fails, and the producer's transaction still commits",
      "push/shard.test.ts > a database fault while the pushes for shard events are prepared > lets the events be stored, and prevents only the push that depends on the failed read",
    ],
  },
  {
    says: "Producers: the shard ingest and the post create/publish path (`news.post`).",
    deviation:
      "Appeals, saved searches, events and survival servers produce pushes too, on their own streams.",
    reason: "See the additional streams.",
    shownBy: [
      "push/delivery.test.ts > a published post > is announced once, when it first becomes visible, and not if it is withdrawn before that",
      "push/shard.test.ts > a push for a shard event",
    ],
  },
  {
    says: "Ingest frame `server.hello` carries the helper list and `worldReady`.",
    shownBy: [
      "survival/ingest.test.ts > the worlds of a survival server > are recorded from a wipe, and from a hello after a gap",
      "survival/servers.test.ts > the administration of survival servers > shows the state of the link to the game, and since when it has this state",
    ],
  },
  {
    says: "`world.expired` (from protocol 13, recognised by its `what`; recorded as expired in the ledger).",
    shownBy: [
      "survival/announce.test.ts > the ledger of pushes to survival servers > records an expiry of an object once, from the first of two frames that report it",
    ],
  },
  {
    says: "`plugin.loaded`, `plugin.unloaded` (may mark the permission sync dirty).",
    shownBy: [
      "survival/syncs.test.ts > the permission inventory of a server > is requested again after %s",
    ],
  },
  {
    says: "`lease.expired`.",
    shownBy: [
      "survival/zones.test.ts > a zone > is marked as expired if the game ends it, by the job or by the frame, whichever comes first",
    ],
  },
  {
    says: "`config.outcome` (staff kind; carries a log tail).",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > is sent with the secrets restored, and ends with the outcome that its plugin reports",
      "survival/config-editor.test.ts > a configuration write > keeps the last lines of a long plugin log, shortened at their ends, and no part of a secret",
    ],
  },
  {
    says: "Ingest frames `player.tally`, `perm.inventory`, `perm.sync`.",
    shownBy: [
      "survival/ingest.test.ts > the scores of a world > never decrease, even if lower values arrive late",
      "survival/syncs.test.ts > the permission inventory of a server > is stored when all its pages have arrived, in any order",
      "survival/syncs.test.ts > a push of data to a game server > ends with the frame that reports its outcome, even if the frame arrives before the answer",
    ],
  },
  {
    says: "Ingest frames `map.info`, `map.live`.",
    shownBy: [
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > shows the image, the grid and the monuments of the current world",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > shows players and bases to staff only, and events to everyone, in every process",
    ],
  },
  {
    says: "Ingest frames `survival.npc.died`, `survival.npc.health`.",
    shownBy: [
      "survival/notifications.test.ts > a message about a survival server > names no player unless everyone may see who is online",
      "survival/notifications.test.ts > a message about a survival server > is sent to everybody for a dead boss, but only to triggers of event runs for another dead NPC",
      "survival/notifications.test.ts > a message about a survival server > is sent only to triggers of event runs if the health of an NPC falls below a percentage step",
    ],
  },
  {
    says: "Staff-class kinds include clan events, `plugin.loaded`, `plugin.unloaded`, `world.expired`, `lease.expired`, `config.outcome`.",
    shownBy: [
      "survival/leaks.test.ts > the public and player routes of survival servers > with the visibility %s show %s all data that the caller may see and no other data",
      "survival/servers.test.ts > the administration of survival servers > shows staff the declared fields of events, and lets only administrators change a server",
    ],
  },
  {
    says: "Join, respawn, death, chat and tally kinds are presence kinds gated by the presence audience.",
    deviation:
      "The leaderboard, which is made of tallies, is public; a tally never stands in a feed.",
    reason: "The contract lists the leaderboard among the public tabs.",
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers > shows in its feed only data that the caller may see, and positions only to staff",
      "survival/servers.test.ts > a survival server in public answers > ranks its players, without staff if the server ignores staff",
    ],
  },
  {
    says: "Thirteen engagement triggers are registered.",
    shownBy: [
      "survival/notifications.test.ts > the catalog of events > lists the fourteen triggers of the survival servers",
    ],
  },
  {
    says: "Four push streams, three audiences and four bodies are registered.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
      "survival/notifications.test.ts > staff > can subscribe to the staff stream unless they are editors, and lose it with their role",
    ],
  },
  {
    says: "Announcements go out through `survival.announce` (one server or every server).",
    shownBy: [
      "survival/steps-on-servers.test.ts > a game that reports that it lacks a capability > is skipped by an announcement to all servers",
      "survival/evening.test.ts > an event run on a survival server > has each effect once, although its worker is killed in each step and while the run waits",
    ],
  },
  {
    says: "Zone steps use `survival.zone.open`.",
    shownBy: [
      "survival/zones.test.ts > zone presets > cannot be deleted while an event step uses them, and are open to administrators only",
      "survival/evening.test.ts > an event run on a survival server > has each effect once, although its worker is killed in each step and while the run waits",
    ],
  },
  {
    says: "The participation and kit-reward verbs are `survival.participation.open`, `survival.participation.collect`, `survival.kit.entitle`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
      "survival/rewards.test.ts > the participants of an event > belong to one list for each step, which is collected once and then does not change",
      "survival/steps-on-servers.test.ts > a kit of an event step > is sent in the name of the starter, and later other waiting kits in the name of the site",
    ],
  },
  {
    says: "Replayed events are announced only while news (15 minutes for broadcasts, 24 hours for personal and staff events).",
    shownBy: [
      "push/delivery.test.ts > the recipients of a push > get no message about an event that is too old, but get a message about an event in the future",
      "push/shard.test.ts > shard events and states that cause no push > are events that are too old when they are stored",
    ],
  },
  {
    says: "Dedupe keys derive from the event, not the sidecar row id.",
    shownBy: [
      "push/shard.test.ts > shard events and states that cause no push > are events that are repeated on the socket, in a replay or in a new buffer",
      "survival/notifications.test.ts > a frame that arrives a second time > is announced once, because its event key is already known",
    ],
  },
  {
    says: "Server online/offline and a new kills leader are in-memory transitions, never fired on first sight; a tie is not a lead.",
    deviation: "The leader in kills is kept in the database, by owner of the server's stream.",
    reason:
      "The leader changes in the transaction that stores the tally; a new owner of the stream sees it for the first time.",
    shownBy: [
      "survival/watch.test.ts > a server that is watched for outages > is not reported when it is seen for the first time, whether it is online or offline",
      "survival/notifications.test.ts > the leader in kills > is announced when a player overtakes all others, and not again while the lead grows",
      "survival/notifications.test.ts > a message about a survival server > is not sent when ingest sees the server for the first time",
    ],
  },
  {
    says: "Public event triggers carry `eventUrl` (trigger version 2), which includes `?run=<run_id>`.",
    shownBy: [
      "events/event-triggers.test.ts > event triggers > are emitted when a run begins, enters each phase and completes, with the URL of its page",
      "events/event-triggers.test.ts > event triggers > have version 2 in the catalog, and all other triggers have version 1",
    ],
  },
  {
    says: "Triggers usable as phase advance conditions are those served by the catalog endpoint, including `survival.npc.died` and `survival.npc.health`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
      "events/event-triggers.test.ts > event triggers > open a gate that waits for the trigger %s in the scope %s, and fill the templates of the next step",
      "survival/notifications.test.ts > the catalog of events > lists the fourteen triggers of the survival servers",
    ],
  },
  {
    says: "Run log kinds: list is served by `GET /admin/events/runs/:runId/log` as `kinds`; an authorization refusal has its own kind.",
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
      "events/engine.test.ts > the rights of a run > are checked at each step, whose action must be enabled and allowed for the role of the starter",
    ],
  },
  {
    says: "Activity-log actions written by the event routes: `event.series.created|updated|deleted`, `event.definition.created|updated|published|verified|archived`, `event.action.configured`, `event.run.created|paused|resumed|advanced|cancelled`, `event.step.confirmed|skipped|retried`.",
    shownBy: [
      "events/activity.test.ts > the activity log > has one entry for each change under /admin/events, with the user, the action and the target",
      "events/activity.test.ts > the activity log > has no entry for reads, rejected requests and requests that change nothing",
    ],
  },
  {
    says: "Activity-log action `auth.logout`.",
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends the caller's session in every process, and no other session",
    ],
  },
  {
    says: "Outbound e-mails: password reset and invite; failure is soft when e-mail is unconfigured.",
    deviation:
      "Users are also written to when a name, an address, a password or a second factor of theirs changes, when an account at a provider is linked, and when a used refresh token comes back.",
    reason: "A user learns by mail of a change that somebody else made.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link with a valid token",
      "auth/invites.test.ts > POST /admin/invites > mails a link that opens the invitation",
      "auth/password-reset.test.ts > POST /auth/password/forgot without a mail server > gives the same answer if mail is off and if the mail server is unreachable",
      "auth/notices.test.ts > a user",
    ],
  },
  {
    says: "Webhooks: none stated beyond the above.",
    deviation: "Administrators may add webhooks, to which the site posts what everybody may see.",
    reason: "Webhooks are an addition: nothing is posted until an administrator makes one.",
    shownBy: [
      "webhooks/delivery.test.ts > a webhook message > creates no job while no webhook exists",
      "webhooks/delivery.test.ts > a webhook message > is signed as Standard Webhooks specifies, and sent once even if its push is announced five times",
    ],
  },
];
