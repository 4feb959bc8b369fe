import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/bridge/addresses.ts";
import { limits } from "../../shared/limits.ts";
import { isHostPort } from "../../shared/net/host-port.ts";
import { survivalProtocols } from "../../shared/survival/calls/server-calls.ts";
import { hideChat, requireChat } from "../../shared/survival/feed/hide-chat.ts";
import { type EventsQuery, readServerEvents } from "../../shared/survival/servers/admin-events.ts";
import {
  changeServer,
  createServer,
  deleteServer,
  type NewServer,
  type ServerChange,
} from "../../shared/survival/servers/manage-servers.ts";
import { findServer, readServers } from "../../shared/survival/servers/read-servers.ts";
import { viewOf } from "../../shared/survival/visibility/read-visibility.ts";
import { wipeFields } from "../../shared/survival/wipes/wipe-schedule.ts";
import { nameText } from "../../shared/visible-text.ts";
import { answer } from "../http/answer.ts";
import { bearerTokenField, byId, idField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewAdminServer } from "./admin-server-views.ts";
import { viewServerEvent, viewServerEvents } from "./admin-views.ts";

const common = { set: "additive", tag: "Survival staff" } as const;
const forStaff = { ...common, gate: "roles:admin,moderator" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;

const text = (max: number) => Joi.string().max(max);

const fields = {
  slug: text(63)
    .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must be lower-case letters, digits and hyphens, and begin with no hyphen",
    })
    .description("Made from the name where it is left out."),
  description: text(2_000).allow(null),
  region: text(64).allow(null),
  connect: text(300)
    .custom((given: string, helpers) => (isHostPort(given) ? given : helpers.error("host.port")))
    .allow(null)
    .messages({
      "host.port":
        "{{#label}} must be host:port alone, such as play.example.org:28015 or [2001:db8::1]:28015",
    })
    .description("Where players connect to, as host:port; an IPv6 address stands in brackets.")
    .example("play.example.org:28015"),
  sort: Joi.number().integer().min(-10_000).max(10_000),
  enabled: Joi.boolean().description("Whether ingest takes it in."),
  listed: Joi.boolean().description("Whether the public sees it."),
  acceptsLinks: Joi.boolean().description(
    "Whether codes of this server link Steam accounts: it can link any account to whoever enters its " +
      "code. True for a new server; false for one that is not listed.",
  ),
  baseUrl: controlAddress.allow(""),
  wsUrl: socketAddress.allow(""),
  token: bearerTokenField.description("It never leaves; blank keeps the stored one."),
  protocol: Joi.number().valid(...survivalProtocols),
  showSeed: Joi.boolean(),
  ignoreStaff: Joi.boolean().description("Whether what staff do counts in no ranking."),
  permissionSync: Joi.boolean(),
  ...wipeFields,
};

const nameField = nameText(100);
const server = { enveloped: "server", shape: "AdminSurvivalServer" } as const;

/** The survival servers as those see them who run them. */
export const adminSurvivalServersRoutes = [
  route({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers",
    summary: "Every survival server, and how its link stands",
    answers: { 200: { enveloped: "servers", shape: { listOf: "AdminSurvivalServer" } } },
    handle: async ({ caller }, context) => {
      const view = await viewOf(caller, context);
      return { servers: (await readServers(context)).map((one) => viewAdminServer(one, view)) };
    },
  }),
  route({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers",
    summary: "Add a survival server",
    description: "Ingest takes it in within a second once it is enabled.",
    confirms: true,
    body: Joi.object<NewServer>({ name: nameField.required(), ...fields }),
    answers: { 201: server, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createServer(body, caller, context);
      const view = await viewOf(caller, context);
      return answer(201, { server: viewAdminServer(await findServer(id, context), view) });
    },
  }),
  route({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "A survival server, and how its link stands",
    params: byId,
    answers: { 200: server, 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found, caller }, context) => ({
      server: viewAdminServer(found, await viewOf(caller, context)),
    }),
  }),
  route({
    ...forAdmins,
    set: "core",
    method: "put",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "Change a survival server",
    description:
      "Absent fields stay, but for the six of the wipe schedule: they are written together, and " +
      "only where `wipeRule` is sent. Ingest connects anew at once where the link is another, or does " +
      "not stand.",
    confirms: true,
    params: byId,
    body: Joi.object<ServerChange>({ name: nameField, ...fields }),
    answers: { 200: server, 404: "Error", 409: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeServer(id, body, caller, context);
      const view = await viewOf(caller, context);
      return { server: viewAdminServer(await findServer(id, context), view) };
    },
  }),
  route({
    ...forAdmins,
    method: "delete",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "Delete a survival server",
    description:
      "One that has worlds is kept unless `purge` is true; then all that happened in them goes with it.",
    params: byId,
    query: Joi.object<{ purge: boolean }, true>({
      purge: Joi.boolean().default(false).description("Whether its worlds go with it."),
    }),
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ params: { id }, query, caller }, context) => {
      await deleteServer(id, query.purge, caller, context);
      return { id };
    },
  }),
  route({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/test",
    summary: "Try the link to a survival server",
    description:
      "Asks its control plane, and dials its socket where ingest does not hold that. What fails is part " +
      "of the answer; one whose socket another client holds is there, and so is good.",
    params: byId,
    answers: { 200: "SurvivalLinkTest", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found }, context) => (await loadLinkTest()).testLink(found, context),
  }),
  route({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/events",
    summary: "What a survival server has told of",
    description: "The newest first, with what only staff may see.",
    params: byId,
    query: Joi.object<EventsQuery, true>({
      kind: text(64).description("Of this kind alone."),
      limit: limitField(limits.serverEventPage),
      before: idField.description("Events older than this one."),
    }),
    answers: { 200: "SurvivalServerEvents", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found, query }, context) =>
      viewServerEvents(await readServerEvents(found.server.id, query, context), query.limit),
  }),
  route({
    ...forStaff,
    method: "put",
    path: "/api/v1/admin/survival/servers/:id/events/:eventId",
    summary: "Take what a player said out of the feed, or put it back",
    description:
      "Of `player.chat` alone; staff go on finding it among the events. Somebody else decides on what a Steam account said that the caller has or had linked.",
    params: Joi.object<{ id: number; eventId: number }, true>({
      id: idField.required().description("The id of the server."),
      eventId: idField.required().description("The id, as the list of events has it."),
    }),
    body: Joi.object<{ hidden: boolean }, true>({ hidden: Joi.boolean().required() }),
    answers: { 200: { enveloped: "event", shape: "SurvivalStoredEvent" }, 404: "Error" },
    find: ({ params: { id, eventId } }, context) => requireChat({ serverId: id, eventId }, context),
    handle: async ({ params: { id, eventId }, body, caller }, context) => ({
      event: viewServerEvent(
        await hideChat({ serverId: id, eventId }, body.hidden, caller, context),
      ),
    }),
  }),
];

// What dials sockets is of use to ingest; here it is loaded with the first try of a link.
const loadLinkTest = () => import("../../shared/survival/servers/test-link.ts");
