import {
  endDeviceSession,
  endOtherSessions,
  listDeviceSessions,
} from "../../shared/auth/sessions/device-sessions.ts";
import { readSignInClient } from "../http/client.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { answerWithReissuedSession } from "./answer-reissued.ts";
import { viewDeviceSession } from "./device-views.ts";

export const sessionsRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/sessions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List the device sessions",
    description:
      "Returns the caller's sessions in the mobile app, most recently used first. Web sessions " +
      "are not listed.",
    answers: { 200: { listOf: "DeviceSession" } },
    handle: async ({ caller }, context) =>
      (await listDeviceSessions(caller.userId, context)).map((session) =>
        viewDeviceSession(session, caller),
      ),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/sessions/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Sign out a device",
    description:
      "Ends the device session with its tokens and event streams. `deleted` is false if the " +
      "caller has no active device session with this id. A client can safely repeat the request.",
    params: rowIdParams,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params, request }, context) => ({
      deleted: await endDeviceSession(
        caller,
        params.id,
        readSignInClient(request, context),
        context,
      ),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/sessions",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "End all other sessions",
    description:
      "Ends all other web and device sessions of the user, with their event streams. The caller " +
      "stays signed in: a browser receives a new session cookie, a bearer caller a new token " +
      "pair in the response. Trusted browsers stay trusted.",
    // Each request revokes every credential of the user, so limit the requests.
    limiters: ["endSessions"],
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "RevokedSessions" },
    handle: async ({ caller, request }, context) => {
      const client = readSignInClient(request, context);
      const { revoked, own } = await endOtherSessions(caller, client, context);
      return answerWithReissuedSession({ revoked }, own, context.config);
    },
  }),
];
