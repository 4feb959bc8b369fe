import { randomUUID } from "node:crypto";

import { createTestUser, type SignedIn } from "../support/accounts/sign-in.ts";
import { buildRun, buildStep, changeRun, changeStep } from "../support/factories/events.ts";
import { buildAppeal } from "../support/factories/site.ts";
import { placementRow } from "../support/factories/survival-npcs.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";

/** The server, and the administrator who sends the requests. */
export interface Staff {
  readonly server: TestServer;
  readonly admin: SignedIn;
}

/**
 * An object on which an administrator acts with `basedOn`, and which another administrator can
 * change first.
 */
export interface BasedOnObject {
  /** The request under test, without `basedOn`. */
  readonly route: string;
  readonly body?: object;
  /** Reads the value of `basedOn` that is current now. */
  read(): Promise<number | string>;
  /** Changes the object as another administrator. */
  change(): Promise<unknown>;
  /** The answer to a request with the current `basedOn`. By default its status is 200. */
  readonly answered?: { readonly status: number };
}

type Begin = (staff: Staff) => Promise<BasedOnObject>;

const ask =
  ({ server, admin: { headers } }: Staff) =>
  async <T>(route: string, body?: object): Promise<T> => {
    const answer = await callRoute(server, route, { headers, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${route}: ${answer.text}`);
    return answer.body as T;
  };

let made = 0;
const unique = (): string => `thing-${++made}`;

/** Returns a function that sends a request and picks the value of `basedOn` from the answer. */
const reading =
  <T>(staff: Staff, route: string, pick: (body: T) => number | string) =>
  async () =>
    pick(await ask(staff)<T>(route));

interface Revised {
  readonly revision: number | string;
}

// Events

export const worldSpec = {
  phases: [
    {
      key: "fight",
      title: "The fight",
      steps: [
        { key: "spawn", actionId: "shard.champion.start", params: { id: "0x40001A2B" } },
        { key: "say", actionId: "shard.broadcast", params: { text: "Hear ye" } },
      ],
    },
  ],
};

interface EventRead {
  readonly event: {
    readonly id: number;
    readonly revision: number;
    readonly currentVersionRevision: number;
  };
}

async function anEvent(staff: Staff) {
  const written = { title: unique(), spec: worldSpec };
  const { event } = await ask(staff)<EventRead>("POST /admin/events", written);
  const at = `/admin/events/${event.id}`;
  return {
    at,
    id: event.id,
    read: reading<EventRead>(staff, `GET ${at}`, (body) => body.event.revision),
    change: () => ask(staff)(`PUT ${at}`, { title: unique() }),
  };
}

/** Publishes an event. `change` publishes another version of it. */
async function aPublishedEvent(staff: Staff) {
  const event = await anEvent(staff);
  const publish = async () =>
    ask(staff)(`POST ${event.at}/publish`, { basedOn: await event.read() });
  await publish();
  return {
    ...event,
    read: reading<EventRead>(staff, `GET ${event.at}`, (body) => body.event.currentVersionRevision),
    change: async () => {
      await event.change();
      await publish();
    },
  };
}

const onEvent =
  (method: string, path: string, body?: object): Begin =>
  async (staff) => {
    const { at, read, change } = await anEvent(staff);
    return { route: `${method} ${at}${path}`, read, change, ...(body && { body }) };
  };

const onVersion =
  (path: string, answered?: BasedOnObject["answered"]): Begin =>
  async (staff) => {
    const { at, read, change } = await aPublishedEvent(staff);
    return { route: `POST ${at}/${path}`, read, change, ...(answered && { answered }) };
  };

/** Inserts a run of an event that is in its phase "fight". */
async function aRun({ server }: Staff, eventId: number, status: "running" | "paused") {
  const { EventDefinition } = server.context.models;
  const event = await EventDefinition.findByPk(eventId, { rejectOnEmpty: true });
  return buildRun(server, event, { status, currentPhase: "fight" });
}

const onRun =
  (path: string): Begin =>
  async (staff) => {
    const { id } = await aPublishedEvent(staff);
    // A run must be running to be paused. All other controls work on a paused run.
    const [before, after] =
      path === "pause" ? (["paused", "running"] as const) : (["running", "paused"] as const);
    const run = await aRun(staff, id, before);
    const at = `/admin/events/runs/${run.id}`;
    return {
      route: `POST ${at}/${path}`,
      read: reading<{ run: Revised }>(staff, `GET ${at}`, (body) => body.run.revision),
      change: () => changeRun(staff.server, run.id, { status: after }),
    };
  };

const onStep =
  (path: string): Begin =>
  async (staff) => {
    const { id } = await aPublishedEvent(staff);
    const { server } = staff;
    const run = await aRun(staff, id, "paused");
    const isRetried = path === "retry";
    const step = await buildStep(server, {
      runId: run.id,
      status: isRetried ? "failed" : "running",
      phase: "fight",
      attempts: 1,
      ...(!isRetried && { parkedFor: "action" as const }),
    });
    const at = `/admin/events/runs/${run.id}`;
    return {
      route: `POST ${at}/steps/${step.id}/${path}`,
      read: reading<{ steps: Revised[] }>(staff, `GET ${at}`, ({ steps }) => revisionOf(steps[0])),
      // Change the number of attempts only, as a failed retry does, so that the step can still be retried.
      change: () => changeStep(server, step.id, { attempts: 2 }),
    };
  };

function revisionOf(thing: Revised | undefined): number | string {
  if (!thing) throw new Error("there is no such thing");
  return thing.revision;
}

// Content

const onPost =
  (method: string, body?: object): Begin =>
  async (staff) => {
    const text = { title: unique(), body: "Snow." };
    const { id } = await ask(staff)<{ id: number }>("POST /admin/posts", text);
    const at = `/admin/posts/${id}`;
    return {
      route: `${method} ${at}`,
      read: reading<Revised>(staff, `GET ${at}`, ({ revision }) => revision),
      change: () => ask(staff)(`PUT ${at}`, { body: "Rain." }),
      ...(body && { body }),
    };
  };

const onPage =
  (method: string, body?: object): Begin =>
  async (staff) => {
    const text = { title: unique(), body: "Be kind." };
    const { slug } = await ask(staff)<{ slug: string }>("POST /admin/pages", text);
    const at = `/admin/pages/${slug}`;
    return {
      route: `${method} ${at}`,
      read: reading<Revised>(staff, `GET ${at}`, ({ revision }) => revision),
      change: () => ask(staff)(`PUT ${at}`, { body: "Be kinder." }),
      ...(body && { body }),
    };
  };

const onWiki =
  (method: string, path: string, body?: object): Begin =>
  async (staff) => {
    const text = { title: unique(), body: "The bank." };
    const { slug } = await ask(staff)<{ slug: string }>("POST /admin/wiki", text);
    const at = `/admin/wiki/${slug}`;
    const read = reading<{ revision: number }>(staff, `GET ${at}`, ({ revision }) => revision);
    return {
      route: `${method} ${at}${path}`,
      read,
      change: async () =>
        ask(staff)(`PUT ${at}`, { body: "The banks.", base_revision: await read() }),
      ...(body && { body }),
    };
  };

// Appeals

const decision: Begin = async (staff) => {
  const { server } = staff;
  const { userId } = await createTestUser(server);
  const appeal = await buildAppeal(server, { userId, account: unique() });
  const at = `/admin/appeals/${appeal.id}`;
  return {
    route: `POST ${at}/decision`,
    body: { outcome: "rejected", note: "No." },
    read: reading<{ appeal: { messages_count: number } }>(
      staff,
      `GET ${at}`,
      (body) => body.appeal.messages_count,
    ),
    change: () => ask(staff)(`POST ${at}/messages`, { body: "Seen?", internal: true }),
  };
};

// The shard

const onAtlas =
  (path: string): Begin =>
  async (staff) => {
    const { AtlasState } = staff.server.context.models;
    const pend = (removedFacets: string[]) =>
      AtlasState.update(
        {
          pendingStatus: "pending",
          pendingFingerprint: randomUUID(),
          pending: {
            source: "fs",
            path: "/nowhere",
            counts: {
              facets: 1,
              regions: 1,
              spawners: 1,
              creatures: 1,
              files: 1,
              skipped: 0,
              rects: 0,
              entries: 0,
              warnings: 0,
              perFacet: {},
            },
            addedFacets: [],
            removedFacets,
            stagedAt: new Date().toISOString(),
          },
        },
        { where: {} },
      );
    await pend(["Trammel"]);
    return {
      route: `POST /admin/shard/atlas/${path}`,
      read: reading<{ pending: Revised }>(
        staff,
        "GET /admin/shard/atlas",
        ({ pending }) => pending.revision,
      ),
      change: () => pend(["Trammel", "Felucca"]),
    };
  };

let isOn = false;
const shardVisibility: Begin = async (staff) => {
  const route = "/admin/shard/visibility";
  const change = () =>
    ask(staff)(`PUT ${route}`, { features: { market: { enabled: (isOn = !isOn) } } });
  await change();
  return {
    route: `PUT ${route}`,
    body: { features: { guilds: { enabled: true } } },
    read: reading<Revised>(staff, `GET ${route}`, ({ revision }) => revision),
    change,
  };
};

// Survival

const onProfile =
  (method: string, path: string, body?: object): Begin =>
  async (staff) => {
    const written = { key: unique(), displayName: "A boss" };
    const { profile } = await ask(staff)<{
      profile: { id: number };
    }>("POST /admin/survival/npcs", written);
    const at = `/admin/survival/npcs/profiles/${profile.id}`;
    const read = reading<{ profile: Revised }>(
      staff,
      `GET ${at}`,
      (answer) => answer.profile.revision,
    );
    const change = async () =>
      ask(staff)(`PUT ${at}`, { displayName: unique(), revision: await read() });
    // Only a revision that was replaced can be restored, so change the profile once.
    await change();
    return { route: `${method} ${at}${path}`, read, change, ...(body && { body }) };
  };

const onPlacement =
  (method: string, path: string, more: Partial<BasedOnObject> = {}): Begin =>
  async (staff) => {
    const { server } = staff;
    const { id: serverId } = await buildSurvivalServer(server);
    const { id } = await server.context.models.SurvivalNpcPlacement.create(
      placementRow({ serverId, name: unique(), enabled: false }),
    );
    const list = `/admin/survival/npcs/servers/${serverId}/placements`;
    let x = 0;
    return {
      route: `${method} ${list}/${id}${path}`,
      read: reading<{ placements: Revised[] }>(staff, `GET ${list}`, ({ placements }) =>
        revisionOf(placements[0]),
      ),
      change: () => ask(staff)(`PUT ${list}/${id}`, { x: (x += 1), enabled: false }),
      ...more,
    };
  };

const factions: Begin = (staff) => {
  const route = "/admin/survival/npcs/factions";
  return Promise.resolve({
    route: `PUT ${route}`,
    body: { pairs: [] },
    read: reading<Revised>(staff, `GET ${route}`, ({ revision }) => revision),
    change: () =>
      ask(staff)(`PUT ${route}`, { pairs: [{ a: "bandits", b: unique(), stance: "ally" }] }),
  });
};

const onGroup =
  (method: string, body?: object): Begin =>
  async (staff) => {
    const base = "/admin/survival/permissions";
    const { group } = await ask(staff)<{ group: { id: number } }>(`POST ${base}/groups`, {
      name: unique(),
    });
    const { id } = group;
    return {
      route: `${method} ${base}/groups/${id}`,
      read: reading<{ groups: (Revised & { id: number })[] }>(staff, `GET ${base}`, ({ groups }) =>
        revisionOf(groups.find((one) => one.id === id)),
      ),
      change: () => ask(staff)(`PUT ${base}/groups/${id}`, { permissions: [`kits.${unique()}`] }),
      ...(body && { body }),
    };
  };

const onGrant =
  (method: string, body?: object): Begin =>
  async (staff) => {
    const base = "/admin/survival/permissions/grants";
    const given = { kind: "permission", steamId: "76561198000000007", value: `kits.${unique()}` };
    const { grant } = await ask(staff)<{ grant: { id: number } }>(`POST ${base}`, given);
    return {
      route: `${method} ${base}/${grant.id}`,
      read: reading<{ grants: (Revised & { id: number })[] }>(staff, `GET ${base}`, ({ grants }) =>
        revisionOf(grants.find(({ id }) => id === grant.id)),
      ),
      change: () => ask(staff)(`PUT ${base}/${grant.id}`, { reason: unique() }),
      ...(body && { body }),
    };
  };

async function aPreset(staff: Staff) {
  const base = "/admin/survival/zones";
  const key = unique();
  const written = { key, name: "Arena", shape: { kind: "sphere", radius: 75 } };
  const { preset } = await ask(staff)<{
    preset: { id: number };
  }>(`POST ${base}/presets`, written);
  return {
    key,
    at: `${base}/presets/${preset.id}`,
    read: reading<{ presets: (Revised & { id: number })[] }>(staff, `GET ${base}`, ({ presets }) =>
      revisionOf(presets.find(({ id }) => id === preset.id)),
    ),
    change: () => ask(staff)(`PUT ${base}/presets/${preset.id}`, { name: unique() }),
  };
}

const onPreset =
  (method: string, body?: object): Begin =>
  async (staff) => {
    const { at, read, change } = await aPreset(staff);
    return { route: `${method} ${at}`, read, change, ...(body && { body }) };
  };

const opening: Begin = async (staff) => {
  const { id: serverId } = await buildSurvivalServer(staff.server);
  const { key, read, change } = await aPreset(staff);
  const at = { x: 1, y: 2, z: 3 };
  return {
    route: "POST /admin/survival/zones/open",
    body: { serverId, presetKey: key, at, durationSec: 600 },
    read,
    change,
    answered: { status: 503 },
  };
};

const titles: Begin = async (staff) => {
  const { id } = await buildSurvivalServer(staff.server);
  const route = `/admin/survival/servers/${id}/titles`;
  let topN = 0;
  return {
    route: `PUT ${route}`,
    body: { mode: "all", rules: [] },
    read: reading<Revised>(staff, `GET ${route}`, ({ revision }) => revision),
    change: () =>
      ask(staff)(`PUT ${route}`, {
        mode: "all",
        rules: [{ stat: "playtime", topN: (topN += 1) }],
      }),
  };
};

const category: Begin = (staff) => {
  const route = "/admin/survival/title-categories";
  return Promise.resolve({
    route: `PUT ${route}/playtime`,
    body: { title: "" },
    read: reading<{ categories: (Revised & { stat: string })[] }>(
      staff,
      `GET ${route}`,
      ({ categories }) => revisionOf(categories.find(({ stat }) => stat === "playtime")),
    ),
    change: () => ask(staff)(`PUT ${route}/playtime`, { title: unique() }),
  });
};

let isCard = false;
const survivalVisibility: Begin = async (staff) => {
  const route = "/admin/survival/visibility";
  const change = () => ask(staff)(`PUT ${route}`, { liveMap: { card: (isCard = !isCard) } });
  await change();
  return {
    route: `PUT ${route}`,
    body: { presence: null },
    read: reading<Revised>(staff, `GET ${route}`, ({ revision }) => revision),
    change,
  };
};

const voice: Begin = (staff) => {
  const route = "/admin/survival/voice";
  return Promise.resolve({
    route: `PUT ${route}`,
    body: {},
    read: reading<{ voice: Revised }>(staff, `GET ${route}`, (body) => body.voice.revision),
    change: () => ask(staff)(`PUT ${route}`, { name: unique() }),
  });
};

/**
 * CATALOGUE of routes that take `basedOn`, each with a function that creates an object to act on.
 */
export const based: Readonly<Record<string, Begin>> = {
  "PUT /admin/events/:id": onEvent("PUT", "", { summary: "Another" }),
  "DELETE /admin/events/:id": onEvent("DELETE", ""),
  "POST /admin/events/:id/publish": onEvent("POST", "/publish"),
  "POST /admin/events/:id/verify": onVersion("verify"),
  "POST /admin/events/:id/runs": onVersion("runs", { status: 201 }),
  "POST /admin/events/runs/:runId/pause": onRun("pause"),
  "POST /admin/events/runs/:runId/resume": onRun("resume"),
  "POST /admin/events/runs/:runId/advance": onRun("advance"),
  "POST /admin/events/runs/:runId/cancel": onRun("cancel"),
  "POST /admin/events/runs/:runId/steps/:stepId/confirm": onStep("confirm"),
  "POST /admin/events/runs/:runId/steps/:stepId/skip": onStep("skip"),
  "POST /admin/events/runs/:runId/steps/:stepId/retry": onStep("retry"),
  "PUT /admin/posts/:id": onPost("PUT", { status: "published" }),
  "DELETE /admin/posts/:id": onPost("DELETE"),
  "PUT /admin/pages/:slug": onPage("PUT", { status: "published" }),
  "DELETE /admin/pages/:slug": onPage("DELETE"),
  "PUT /admin/wiki/:slug": onWiki("PUT", "", { status: "published" }),
  "DELETE /admin/wiki/:slug": onWiki("DELETE", ""),
  "POST /admin/wiki/:slug/revisions/:rev/restore": onWiki("POST", "/revisions/1/restore"),
  "POST /admin/appeals/:id/decision": decision,
  "POST /admin/shard/atlas/approve": onAtlas("approve"),
  "POST /admin/shard/atlas/reject": onAtlas("reject"),
  "PUT /admin/shard/visibility": shardVisibility,
  "PUT /admin/survival/npcs/profiles/:id": onProfile("PUT", "", { displayName: "Another" }),
  "DELETE /admin/survival/npcs/profiles/:id": onProfile("DELETE", ""),
  "POST /admin/survival/npcs/profiles/:id/restore": onProfile("POST", "/restore", { revision: 1 }),
  "PUT /admin/survival/npcs/servers/:serverId/placements/:placementId": onPlacement("PUT", "", {
    body: { radius: 5 },
  }),
  "DELETE /admin/survival/npcs/servers/:serverId/placements/:placementId": onPlacement(
    "DELETE",
    "",
  ),
  "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/rename": onPlacement(
    "POST",
    "/rename",
    { body: { name: "another" } },
  ),
  "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/respawn": onPlacement(
    "POST",
    "/respawn",
    { answered: { status: 503 } },
  ),
  "PUT /admin/survival/npcs/factions": factions,
  "PUT /admin/survival/permissions/groups/:id": onGroup("PUT", { title: "Another" }),
  "DELETE /admin/survival/permissions/groups/:id": onGroup("DELETE"),
  "PUT /admin/survival/permissions/grants/:id": onGrant("PUT", { reason: "Another" }),
  "DELETE /admin/survival/permissions/grants/:id": onGrant("DELETE"),
  "PUT /admin/survival/zones/presets/:id": onPreset("PUT", { color: "#c0392b" }),
  "DELETE /admin/survival/zones/presets/:id": onPreset("DELETE"),
  "POST /admin/survival/zones/open": opening,
  "PUT /admin/survival/servers/:id/titles": titles,
  "PUT /admin/survival/title-categories/:stat": category,
  "PUT /admin/survival/visibility": survivalVisibility,
  "PUT /admin/survival/voice": voice,
};

/** Routes by which staff change something without `basedOn`, by reason. */
export const notBased: Readonly<Record<string, readonly string[]>> = {
  "it makes a thing, of its body alone": [
    "POST /admin/auth/providers",
    "POST /admin/events",
    "POST /admin/events/series",
    "POST /admin/invites",
    "POST /admin/pages",
    "POST /admin/posts",
    "POST /admin/survival/npcs",
    "POST /admin/survival/npcs/servers/:serverId/placements",
    "POST /admin/survival/permissions/grants",
    "POST /admin/survival/permissions/groups",
    "POST /admin/shardlink/plugin-key",
    "POST /admin/survival/servers",
    "POST /admin/survival/servers/:id/plugin-key",
    "POST /admin/survival/servers/:id/report-key",
    "POST /admin/survival/zones/presets",
    "POST /admin/tokens",
    "POST /admin/users",
    "POST /admin/webhooks",
    "POST /admin/wiki",
  ],
  "it is an order or a text to a game, which its body says whole": [
    "POST /admin/shard/ban",
    "POST /admin/shard/broadcast",
    "POST /admin/shard/kick",
    "POST /admin/shard/unban",
    "POST /admin/shardlink/towncrier",
    "POST /admin/survival/announce",
    "POST /admin/survival/servers/:id/ban",
    "POST /admin/survival/servers/:id/kick",
    "POST /admin/survival/servers/:id/unban",
  ],
  "what it decides on never changes": [
    "POST /admin/survival/reports/:id/close",
    "POST /admin/survival/reports/:id/reopen",
    "POST /admin/survival/reports/:id/seen",
    "DELETE /admin/shardlink/towncrier/:id",
    "POST /admin/shard/pages/:id/close",
    "POST /admin/shard/pages/:id/respond",
    "PUT /admin/survival/servers/:id/events/:eventId",
    "POST /admin/webhooks/:id/deliveries/:deliveryId/redeliver",
    "POST /admin/webhooks/:id/redeliver-failed",
    "POST /admin/jobs/:id/cancel",
    "POST /admin/jobs/:id/retry",
  ],
  "it sets what its body names, whatever is stored, and approves no text": [
    "PUT /admin/auth/providers/:id",
    "PUT /admin/discord-bot/config",
    "PUT /admin/events/actions",
    "PUT /admin/events/series/:seriesId",
    "PUT /admin/settings",
    "PUT /admin/shard/atlas/path",
    "PUT /admin/shard/clilocs/path",
    "PUT /admin/shardlink/config",
    "PUT /admin/shardlink/signup-mode",
    "PUT /admin/site-mode",
    "PUT /admin/survival/servers/:id",
    "PUT /admin/webhooks/:id",
    "PATCH /admin/users/:id",
  ],
  "it takes away what has no text of others, or ends it": [
    "DELETE /admin/auth/providers/:id",
    "DELETE /admin/bans/:ip",
    "DELETE /admin/events/series/:seriesId",
    "DELETE /admin/invites/:id",
    "DELETE /admin/shardlink/plugin-key",
    "DELETE /admin/survival/servers/:id",
    "DELETE /admin/survival/servers/:id/plugin-key",
    "DELETE /admin/survival/servers/:id/report-key",
    "DELETE /admin/tokens/:id",
    "DELETE /admin/users/:id",
    "DELETE /admin/users/:id/shard/link/:account",
    "DELETE /admin/users/:id/trusted-devices/:deviceId",
    "DELETE /admin/webhooks/:id",
    "POST /admin/survival/zones/leases/:leaseId/close",
    "POST /admin/users/:id/mfa/reset",
    "POST /admin/users/:id/sessions/revoke",
  ],
  "it sends again what is stored by now, which no approval waits for": [
    "POST /admin/survival/npcs/push",
    "POST /admin/survival/permissions/sync",
    "POST /admin/survival/servers/:id/test",
    "POST /admin/webhooks/:id/test",
  ],
  "the stored review names the losses, and the import applies no other": [
    "POST /admin/shard/assets/import",
    "POST /admin/shard/clilocs/import",
  ],
  "it reads a source anew, and has a loss reviewed before it applies it": [
    "POST /admin/shard/assets/warm",
    "POST /admin/shard/atlas/import",
    "POST /admin/survival/servers/:id/map/fetch",
    "POST /admin/survival/servers/:id/map/render",
  ],
  "it compares the file with what its write left there": [
    "POST /admin/survival/config/:serverId/writes/:writeId/rollback",
  ],
  "it writes a message of its own": ["POST /admin/appeals/:id/messages"],
  "it writes nothing": ["POST /admin/content/preview"],
  "it runs or stops a queue, not a thing in it": [
    "POST /admin/jobs/queues/:queue/discard-failed",
    "POST /admin/jobs/queues/:queue/pause",
    "POST /admin/jobs/queues/:queue/resume",
    "POST /admin/jobs/queues/:queue/retry-failed",
  ],
  "it is about the caller's own account": [
    "DELETE /admin/account/identities/:provider",
    "PATCH /admin/account/password",
    "PATCH /admin/account/username",
    "POST /admin/account/totp/disable",
    "POST /admin/account/totp/enable",
    "POST /admin/account/totp/setup",
    "POST /admin/shard/account",
    "POST /admin/shard/link",
  ],
};
