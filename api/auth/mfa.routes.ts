import {
  issueRecoveryCodes,
  countRecoveryCodes,
} from "../../shared/auth/second-factor/recovery-codes.ts";
import {
  listTrustedDevices,
  removeOwnTrustedDevices,
} from "../../shared/auth/second-factor/trusted-devices.ts";
import { createAnswer } from "../http/answer.ts";
import { readSignInClient } from "../http/client.ts";
import { createExpiredCookie } from "../http/cookies.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewRecoveryCodes, viewTrustedDevice } from "./device-views.ts";

const limiters = ["userChange"] as const;

export const mfaRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/trusted-devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List trusted browsers",
    description:
      "Returns the browsers from which the caller can sign in without the second factor, most " +
      "recently used first. Browsers whose trust has expired are not listed.",
    answers: { 200: { listOf: "TrustedDevice" } },
    handle: async ({ caller, request }, context) => {
      const client = readSignInClient(request, context);
      return (await listTrustedDevices(caller.userId, client, context)).map(viewTrustedDevice);
    },
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/trusted-devices/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Stop trusting a browser",
    description:
      "After the removal, the next sign-in from the browser requires the second factor. Sessions " +
      "in the browser stay valid. `deleted` is false if the caller has no trusted browser with " +
      "this id. A client can safely repeat the request.",
    params: rowIdParams,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params, request }, context) => {
      const client = readSignInClient(request, context);
      return { deleted: (await removeOwnTrustedDevices(caller, params.id, client, context)) > 0 };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/trusted-devices",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Stop trusting all browsers",
    description:
      "The next sign-in from each of these browsers requires the second factor. Sessions stay " +
      "valid. The response clears the trust cookie of the caller's browser and contains the " +
      "number of browsers that are no longer trusted.",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "DeletedCount" },
    handle: async ({ caller, request }, context) => {
      const client = readSignInClient(request, context);
      const deleted = await removeOwnTrustedDevices(caller, null, client, context);
      return createAnswer(
        200,
        { deleted },
        { cookies: [createExpiredCookie("trust", context.config)] },
      );
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/recovery-codes",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Count the recovery codes",
    description:
      "Returns how many codes the user has and how many of them are unused. Does not return the " +
      "codes.",
    answers: { 200: "RecoveryCodeCount" },
    handle: async ({ caller }, context) =>
      viewRecoveryCodes(await countRecoveryCodes(caller.userId, context)),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/recovery-codes",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Create recovery codes",
    description:
      "Returns ten single-use codes, which are shown only once. Use this operation only if the " +
      "user has no codes: turning the second factor on already creates a set. The user is " +
      "notified by e-mail. 409 `recovery_codes_exist` if the user has a set of codes, even if " +
      "all of them are used; 409 `second_factor_disabled` if the second factor is off.",
    limiters,
    confirms: true,
    answers: { 201: "RecoveryCodes", 409: "Error" },
    handle: async ({ caller, request }, context) => {
      const client = readSignInClient(request, context);
      const codes = await issueRecoveryCodes({ caller, client, mode: "first" }, context);
      return createAnswer(201, { codes });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/recovery-codes/regenerate",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Replace the recovery codes",
    description:
      "Returns ten new single-use codes, which are shown only once. The former codes stop " +
      "working. The user is notified by e-mail. 409 `second_factor_disabled` if the second " +
      "factor is off.",
    limiters,
    confirms: true,
    answers: { 200: "RecoveryCodes", 409: "Error" },
    handle: async ({ caller, request }, context) => {
      const client = readSignInClient(request, context);
      return {
        codes: await issueRecoveryCodes({ caller, client, mode: "replace" }, context),
      };
    },
  }),
];
