import type { Statement } from "./statement.ts";

/** What the contract says of versioning. */
export const versioning: readonly Statement[] = [
  {
    says: "All routes are under `/api/v1`.",
    deviation:
      "The docs (`/api/docs`), the page of the queues (`/api/queues`) and the app-link statement stand outside.",
    reason:
      "The contract prints the docs and the statement so; the page of the queues is an addition for operators and no part of the API.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
    ],
  },
  {
    says: "The mobile push contract is additive and v1-only.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
    ],
  },
  {
    says: "Route URLs do not move between releases; the route manifest and the guards file are frozen and checked.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
      "http/manifest.test.ts > the route manifest > guards the ${set} routes exactly as frozen",
    ],
  },
  {
    says: "The OpenAPI description is regenerated from route annotations and carries the `/api/v1` prefix.",
    shownBy: [
      "http/openapi.test.ts > the ${set} API description > holds one operation for each documented route",
      "http/openapi.test.ts > the ${set} API description > names every path with its version",
    ],
  },
  {
    says: "Capabilities are declared in the version block as strings; `events` and `map` are declared.",
    deviation: "The version block is `version` and `capabilities` of `GET /public/status`.",
    reason: "The contract does not say where the block stands; a client reads the status first.",
    shownBy: [
      "site/public-status.test.ts > GET /public/status > tells the version and every capability of the release",
    ],
  },
  {
    says: "Shard bridge protocol is an integer configured in `PUT /admin/shardlink/config` (`protocol`).",
    deviation: "The shard's link takes 7 and 8; a survival server's link takes 13.",
    reason: "The service speaks these protocols and no others.",
    routes: ["PUT /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > refuses %s as %j, and changes nothing",
      "survival/servers.test.ts > administering survival servers > adds one, whose token never leaves and whose slug comes from its name",
    ],
  },
  {
    says: "The sidecar refuses a client with a mismatched protocol with 409.",
    shownBy: [
      "bridge/socket.test.ts > BridgeSocket is refused > with %i: an error until it is let in",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > speaks another protocol, answers 502",
    ],
  },
  {
    says: "The ingest protocol reached is 13 for the survival module.",
    shownBy: [
      "survival/servers.test.ts > administering survival servers > adds one, whose token never leaves and whose slug comes from its name",
    ],
  },
  {
    says: "Some features need a minimum protocol (client-asset pipeline uses protocol 8).",
    shownBy: [
      "bridge/shard-calls.test.ts > With protocol 7 > what came with 8 is refused without a call",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers NO_SOURCE without a call while the link is set to protocol 7",
    ],
  },
  {
    says: "An older plugin overlay may serve only the body family, and item art is then `UNSUPPORTED`.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers UNSUPPORTED for a shard that serves bodies alone, without asking for pictures",
    ],
  },
  {
    says: "The NPC plugin API floor is 4.",
    shownBy: [
      "survival/announce.test.ts > the integrations of a server > are of no use where the NPC plugin is older than the site can use",
      "survival/npc-pushes.test.ts > a push of NPCs > is no error where the NPC plugin is too old, and comes when that is replaced",
    ],
  },
  {
    says: "Event trigger declarations are versioned; the public event triggers moved from version 1 to 2 when `eventUrl` was added.",
    shownBy: [
      "events/event-triggers.test.ts > triggers of events > have version 2 in the catalogue, and all others version 1",
    ],
  },
  {
    says: "Deprecated: the `file` cliloc source (pre-protocol-8 pipeline).",
    shownBy: [
      "imports/linked.test.ts > a path of texts while a shard is linked > has no effect, which the status says",
      "imports/linked.test.ts > a link that gives no source > is without one at protocol 7",
    ],
  },
  {
    says: "Deprecated: the `/player/account/*` and `/admin/account/*` routes, kept for compatibility.",
    shownBy: [
      "auth/account.test.ts > the legacy account paths > %s answers like the new one and names it",
      "auth/account.test.ts > the legacy account paths > name the new path as it is for this request",
    ],
  },
];
