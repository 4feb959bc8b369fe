import {
  endDeviceSession,
  endOtherSessions,
  listDeviceSessions,
} from "../../shared/auth/sessions/device-sessions.ts";
import { clientOf } from "../http/client.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewDeviceSession } from "./device-views.ts";
import { answerReissued } from "./reissued.ts";

export const sessionsRoutes = [
  route({
    method: "get",
    path: "/api/v1/auth/me/sessions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Devices signed in by the app",
    answers: { 200: { listOf: "DeviceSession" } },
    handle: async ({ caller }, context) =>
      (await listDeviceSessions(caller.userId, context)).map((session) =>
        viewDeviceSession(session, caller),
      ),
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/sessions/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Sign one device out",
    description: "Answers alike for another's session and for one that does not exist.",
    params: byId,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params, request }, context) => ({
      deleted: await endDeviceSession(caller, params.id, clientOf(request, context), context),
    }),
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/sessions",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Sign out everywhere else",
    description:
      "Ends every session by web and app. The caller's own is issued anew: as a cookie, or for a " +
      "bearer caller as a pair in the answer.",
    // Each use moves the clock of the user's tokens on by a second at least.
    limiters: ["endSessions"],
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "RevokedSessions" },
    handle: async ({ caller, request }, context) => {
      const client = clientOf(request, context);
      const { revoked, own } = await endOtherSessions(caller, client, context);
      return answerReissued({ revoked }, own, context.config);
    },
  }),
];
