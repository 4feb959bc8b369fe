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
    summary: "List trusted browsers",
    description:
      "Returns the browsers in which the caller signs in without the second factor, most " +
      "recently used first. Expired ones are not listed.",
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
    summary: "Stop trusting a browser",
    description:
      "The next sign-in in that browser requires the second factor; its session stays valid. " +
      "`deleted` is false if the id is unknown or belongs to another user, so the request can be " +
      "repeated.",
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
    summary: "Stop trusting all browsers",
    description:
      "The next sign-in in each browser requires the second factor; sessions stay valid. Clears " +
      "the trust cookie of this browser. Returns the number of browsers that were trusted.",
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
    summary: "Count the recovery codes",
    description: "Returns how many codes are left. The codes themselves are never shown again.",
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
    summary: "Create recovery codes",
    description:
      "Returns ten single-use codes, which are shown only once. For users who have no codes: " +
      "turning the second factor on creates a set. The user is notified by e-mail. 409 " +
      "`recovery_codes_exist` if there is a set, even a used-up one; 409 " +
      "`second_factor_disabled` if the second factor is off.",
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
    description:
      "Returns ten new single-use codes, which are shown only once; the former codes stop " +
      "working. The user is notified by e-mail. 409 `second_factor_disabled` if the second " +
      "factor is off.",
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
