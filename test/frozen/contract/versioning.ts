import type { Statement } from "./statement.ts";

export const versioning: readonly Statement[] = [
  {
    says: "All routes are under `/api/v1`.",
    deviation:
      "The docs (`/api/docs`), the page of the queues (`/api/queues`) and the app-link statement stand outside.",
    reason:
      "The contract prints the docs and the statement so; the page of the queues is an addition for operators and no part of the API.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
  {
    says: "The mobile push contract is additive and v1-only.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
  {
    says: "Route URLs do not move between releases; the route manifest and the guards file are frozen and checked.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
      "http/manifest.test.ts > the route manifest > has the frozen access checks at the ${set} routes",
    ],
  },
  {
    says: "The OpenAPI description is regenerated from route annotations and carries the `/api/v1` prefix.",
    shownBy: [
      "http/openapi.test.ts > the ${set} API description > has one operation for each documented route",
      "http/openapi.test.ts > the ${set} API description > has /api/v1 in every path except one",
    ],
  },
  {
    says: "Capabilities are declared in the version block as strings; `events` and `map` are declared.",
    deviation: "The version block is `version` and `capabilities` of `GET /public/status`.",
    reason: "The contract does not say where the block stands; a client reads the status first.",
    shownBy: [
      "site/public-status.test.ts > GET /public/status > answers the version and every capability of the release",
    ],
  },
  {
    says: "Shard bridge protocol is an integer configured in `PUT /admin/shardlink/config` (`protocol`).",
    deviation: "The shard's link takes 7 and 8; a survival server's link takes 13.",
    reason: "The service speaks these protocols and no others.",
    routes: ["PUT /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > refuses a field %s with the value %j, and changes nothing",
      "survival/servers.test.ts > the administration of survival servers > adds a server with a slug from its name, and never shows its token",
    ],
  },
  {
    says: "The sidecar refuses a client with a mismatched protocol with 409.",
    shownBy: [
      "bridge/socket.test.ts > A refused BridgeSocket > is in the error state after the status %i until it is accepted",
      "shard/shard-faults.test.ts > every route that calls the shard > answers 502 if the shard speaks another protocol",
    ],
  },
  {
    says: "The ingest protocol reached is 13 for the survival module.",
    shownBy: [
      "survival/servers.test.ts > the administration of survival servers > adds a server with a slug from its name, and never shows its token",
    ],
  },
  {
    says: "Some features need a minimum protocol (client-asset pipeline uses protocol 8).",
    shownBy: [
      "bridge/shard-calls.test.ts > A link with protocol 7 > rejects calls that need protocol 8 without a request",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers NO_SOURCE without a call while the link is set to protocol 7",
    ],
  },
  {
    says: "An older plugin overlay may serve only the body family, and item art is then `UNSUPPORTED`.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers UNSUPPORTED without asking for pictures if the shard serves only pictures of bodies",
    ],
  },
  {
    says: "The NPC plugin API floor is 4.",
    shownBy: [
      "survival/announce.test.ts > the integrations of a server > are unusable if the NPC plugin is older than the oldest supported version",
      "survival/npc-syncs.test.ts > a push of NPCs > is shown as unsupported while the NPC plugin is too old, and is sent after the plugin's update",
    ],
  },
  {
    says: "Event trigger declarations are versioned; the public event triggers moved from version 1 to 2 when `eventUrl` was added.",
    shownBy: [
      "events/event-triggers.test.ts > event triggers > have version 2 in the catalog, and all other triggers have version 1",
    ],
  },
  {
    says: "Deprecated: the `file` cliloc source (pre-protocol-8 pipeline).",
    shownBy: [
      "imports/linked.test.ts > a configured path of client texts while a shard is linked > is not used, and the status gives the reason",
      "imports/linked.test.ts > an import over a link that cannot provide the data > answers DISABLED for the atlas and NO_SOURCE for texts at protocol 7",
    ],
  },
  {
    says: "Deprecated: the `/player/account/*` and `/admin/account/*` routes, kept for compatibility.",
    shownBy: [
      "auth/account.test.ts > the legacy account paths > %s answers like the new path and names the new path in the Link header",
      "auth/account.test.ts > the legacy account paths > name the new path with the request's own parameters in the Link header",
    ],
  },
];
