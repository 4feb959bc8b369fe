import { issueRecoveryCodes } from "../../shared/auth/second-factor/own-recovery-codes.ts";
import { countRecoveryCodes } from "../../shared/auth/second-factor/recovery-codes.ts";
import {
  listTrustedDevices,
  untrustOwnDevices,
} from "../../shared/auth/second-factor/trusted-devices.ts";
import { answer } from "../http/answer.ts";
import { clientOf } from "../http/client.ts";
import { endedCookie } from "../http/cookies.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewRecoveryCodes, viewTrustedDevice } from "./device-views.ts";

const limiters = ["userChange"] as const;

export const mfaRoutes = [
  route({
    method: "get",
    path: "/api/v1/auth/me/trusted-devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Browsers that skip the second factor",
    answers: { 200: { listOf: "TrustedDevice" } },
    handle: async ({ caller, request }, context) => {
      const client = clientOf(request, context);
      return (await listTrustedDevices(caller.userId, client, context)).map(viewTrustedDevice);
    },
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/trusted-devices/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Stop trusting one browser",
    description: "Answers alike for another's device and for one that does not exist.",
    params: byId,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params, request }, context) => {
      const client = clientOf(request, context);
      return { deleted: (await untrustOwnDevices(caller, params.id, client, context)) > 0 };
    },
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/trusted-devices",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Stop trusting every browser",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "DeletedCount" },
    handle: async ({ caller, request }, context) => {
      const client = clientOf(request, context);
      const deleted = await untrustOwnDevices(caller, null, client, context);
      return answer(200, { deleted }, { cookies: [endedCookie("trust", context.config)] });
    },
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me/recovery-codes",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "How many recovery codes are left",
    answers: { 200: "RecoveryCodeCount" },
    handle: async ({ caller }, context) =>
      viewRecoveryCodes(await countRecoveryCodes(caller.userId, context)),
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/recovery-codes",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Make the first set of recovery codes",
    description: "Enabling the second factor makes a set already; with one there it is a conflict.",
    limiters,
    confirms: true,
    answers: { 201: "RecoveryCodes", 409: "Error" },
    handle: async ({ caller, request }, context) => {
      const client = clientOf(request, context);
      const codes = await issueRecoveryCodes({ caller, client, mode: "first" }, context);
      return answer(201, { codes });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/recovery-codes/regenerate",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Replace the recovery codes",
    limiters,
    confirms: true,
    answers: { 200: "RecoveryCodes", 409: "Error" },
    handle: async ({ caller, request }, context) => {
      const client = clientOf(request, context);
      return {
        codes: await issueRecoveryCodes({ caller, client, mode: "replace" }, context),
      };
    },
  }),
];
