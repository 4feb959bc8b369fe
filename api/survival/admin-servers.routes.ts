import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { setChatHidden, requireChatMessage } from "../../shared/survival/chat/hide-chat.ts";
import { type EventsQuery, readServerEvents } from "../../shared/survival/feed/feed.ts";
import {
  changeServer,
  createServer,
  deleteServer,
  type NewServer,
  type ServerChange,
} from "../../shared/survival/servers/manage-servers.ts";
import { findServer, readServers } from "../../shared/survival/servers/read-servers.ts";
import { readCallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, idField, limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewAdminServer } from "./admin-server-views.ts";
import { viewServerEvent, viewServerEvents } from "./admin-views.ts";
import { serverFields } from "./server-fields.ts";

const common = { set: "additive", tag: "Survival staff" } as const;
const forStaff = { ...common, gate: "roles:admin,moderator" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;

const nameField = nameTextField(100);
const server = { enveloped: "server", shape: "AdminSurvivalServer" } as const;

export const adminSurvivalServersRoutes = [
  defineRoute({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers",
    summary: "List all survival servers with their link state",
    description:
      "Returns every server with the state of its link, including servers that are disabled or " +
      "not listed, sorted by `sort` and then by name. Never returns tokens or passwords.",
    answers: { 200: { enveloped: "servers", shape: { listOf: "AdminSurvivalServer" } } },
    handle: async ({ caller }, context) => {
      const view = await readCallerAccess(caller, context);
      return { servers: (await readServers(context)).map((one) => viewAdminServer(one, view)) };
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers",
    summary: "Add a survival server",
    description:
      "Creates a survival server. When the server is enabled, the service connects to it within " +
      "a second. The activity log records the request as `survival.server.created`. 409 " +
      "`slug_taken` if the `slug` of the request is in use. 400 if a server of the kind " +
      "`sidecar` is enabled without `baseUrl`, `wsUrl` or `token`, if one of the kind `webrcon` " +
      "is enabled without `rconHost` or `rconPassword`, if the request contains fields that " +
      "belong to another `kind`, or if `acceptsLinks` is true while `listed` is false.",
    confirms: true,
    body: Joi.object<NewServer>({ name: nameField.required(), ...serverFields }),
    answers: { 201: server, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createServer(body, caller, context);
      const view = await readCallerAccess(caller, context);
      return createAnswer(201, { server: viewAdminServer(await findServer(id, context), view) });
    },
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "Get a survival server with its link state",
    description:
      "Returns the server with the state of its link, even if the server is disabled or not " +
      "listed. Never returns the token or the password.",
    params: rowIdParams,
    answers: { 200: server, 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found, caller }, context) => ({
      server: viewAdminServer(found, await readCallerAccess(caller, context)),
    }),
  }),
  defineRoute({
    ...forAdmins,
    set: "core",
    method: "put",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "Change a survival server",
    description:
      "Fields that the request omits keep their values, except the six fields of the wipe " +
      "schedule: they are replaced together, and only if the request contains `wipeRule`. If a " +
      "field of the link changes, such as `baseUrl` or `rconPassword`, or if the link is down, " +
      "the service immediately connects again. The activity log records the request as " +
      "`survival.server.changed`. 409 `slug_taken` if another server has the slug.",
    confirms: true,
    params: rowIdParams,
    body: Joi.object<ServerChange>({ name: nameField, ...serverFields }),
    answers: { 200: server, 404: "Error", 409: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeServer(id, body, caller, context);
      const view = await readCallerAccess(caller, context);
      return { server: viewAdminServer(await findServer(id, context), view) };
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "delete",
    path: "/api/v1/admin/survival/servers/:id",
    summary: "Delete a survival server",
    description:
      "Deletes the server and closes its link. If worlds of the server are stored, the response " +
      "is 409 `server_has_wipes`, unless `purge` is true: then the worlds, events, rankings and " +
      "clans of the server are deleted as well. To keep this data, disable and unlist the server " +
      "instead of deleting it. The activity log records the request as `survival.server.deleted`.",
    params: rowIdParams,
    query: Joi.object<{ purge: boolean }, true>({
      purge: Joi.boolean()
        .default(false)
        .description(
          "Whether to delete the server's worlds, events, rankings and clans as well. Default: " +
            "false.",
        ),
    }),
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ params: { id }, query, caller }, context) => {
      await deleteServer(id, query.purge, caller, context);
      return { id };
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalLinkTest:
   *       type: object
   *       additionalProperties: false
   *       required: [ok, protocol]
   *       properties:
   *         ok: { type: boolean, description: Whether all steps of the test succeeded. }
   *         protocol: { type: integer, example: 13, description: Version of the bridge protocol that the test used. }
   *         code:
   *           type: string
   *           example: UNAUTHORIZED
   *           description: >-
   *             Why a step of the test failed, as a code for programs. `INCOMPLETE`: a URL, the
   *             host, the token or the password is missing. `AUTH`: the console refuses the
   *             password, or the game has banned the IP address of the service. `LOCKED`: another client uses the event stream, which is not a
   *             failure. Absent if there is no problem.
   *         reason:
   *           type: string
   *           example: the sidecar refused the token
   *           description: >-
   *             Description of the problem that `code` names, for people. Absent if there is no
   *             problem.
   *         hello: { type: object, description: What the game server reports about itself. }
   */
  defineRoute({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/test",
    summary: "Test the link to a survival server",
    description:
      "Calls the control API of the sidecar and then opens its event stream. If the service is " +
      "already connected, it does not open the event stream again. For the kind `webrcon`, the " +
      "test asks the console over the connection that the service holds, and connects only if " +
      "there is none. The operation also works for disabled servers, and changes nothing. If a " +
      "step of the test fails, the response is 200 with `ok: false` and a `code`. If another " +
      "client already uses the event stream, `ok` is true and `code` is `LOCKED`.",
    params: rowIdParams,
    answers: { 200: "SurvivalLinkTest", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found }, context) => (await loadLinkTest()).testLink(found, context),
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/events",
    summary: "List the events of a survival server",
    description:
      "Returns the stored events of the server, newest first. The list includes the kinds and " +
      "fields that only staff may see, and hidden chat messages. The service keeps joins, " +
      "leaves, respawns and chat for at most 30 days, and all other events for at most a year.",
    params: rowIdParams,
    query: Joi.object<EventsQuery, true>({
      kind: Joi.string()
        .max(64)
        .description("Returns only events of this kind, such as `player.chat`."),
      limit: limitField(limits.serverEventPage),
      before: idField.description(
        "Cursor for paging: returns only events that are older than the event with this id.",
      ),
    }),
    answers: { 200: "SurvivalServerEvents", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: async ({ found, query }, context) =>
      viewServerEvents(await readServerEvents(found.server.id, query, context), query.limit),
  }),
  defineRoute({
    ...forStaff,
    method: "put",
    path: "/api/v1/admin/survival/servers/:id/events/:eventId",
    summary: "Hide a chat message, or show it again",
    description:
      "Hides a chat message (an event of the kind `player.chat`) in the public feed, or shows it " +
      "again. The list of events for staff always contains the message. If the message is " +
      "already in the requested state, nothing changes. The activity log records the request as " +
      "`survival.chat.hidden` or `survival.chat.shown`. 404 `not_found` if the event is unknown " +
      "or of another kind. 403 `own_account` if the message was sent from a Steam account that " +
      "is, or once was, linked to the caller.",
    params: Joi.object<{ id: number; eventId: number }, true>({
      id: idField.required().description("Id of the survival server."),
      eventId: idField
        .required()
        .description("Id of the event, as `GET /admin/survival/servers/{id}/events` returns it."),
    }),
    body: Joi.object<{ hidden: boolean }, true>({
      hidden: Joi.boolean()
        .required()
        .description("Whether the message is hidden: true hides it, false shows it again."),
    }),
    answers: { 200: { enveloped: "event", shape: "SurvivalStoredEvent" }, 404: "Error" },
    find: ({ params: { id, eventId } }, context) =>
      requireChatMessage({ serverId: id, eventId }, context),
    handle: async ({ params: { id, eventId }, body, caller }, context) => ({
      event: viewServerEvent(
        await setChatHidden({ serverId: id, eventId }, body.hidden, caller, context),
      ),
    }),
  }),
];

// Load the module for the first link test: it needs the WebSocket client, which otherwise only ingest loads.
const loadLinkTest = () => import("../../shared/survival/servers/test-link.ts");
