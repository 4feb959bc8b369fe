import Joi from "joi";

import { resetMfa, removeUserTrustedDevice } from "../../shared/auth/administration/user-admin.ts";
import { listTrustedDevices } from "../../shared/auth/second-factor/trusted-devices.ts";
import { viewTrustedDevice } from "../auth/device-views.ts";
import { findUser } from "../auth/find-user.ts";
import { rowIdParams, idParam } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const common = { gate: "roles:admin", set: "core", tag: "Users" } as const;

/**
 * A client without a device: the administrator's browser is not one of the user's devices, so none is listed as
 * the current one.
 */
const noClient = { trustToken: undefined, userAgent: undefined };

export const userMfaRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/trusted-devices",
    summary: "List a user's trusted browsers",
    description:
      "Returns the browsers from which the user can sign in without the second factor, most " +
      "recently used first. Browsers whose trust has expired are not listed. `current` is always " +
      "false.",
    params: rowIdParams,
    answers: { 200: { listOf: "TrustedDevice" }, 404: "Error" },
    find: findUser,
    handle: async ({ params: { id } }, context) =>
      (await listTrustedDevices(id, noClient, context)).map(viewTrustedDevice),
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/users/:id/trusted-devices/:deviceId",
    summary: "Stop trusting a user's browser",
    description:
      "After the removal, the user's next sign-in from the browser requires the second factor. " +
      "Sessions stay valid. `deleted` is false if the user does not trust a browser with this " +
      "id. A client can safely repeat the request.",
    params: Joi.object<{ id: number; deviceId: number }, true>({
      id: idParam.description("Id of the user."),
      deviceId: idParam.description(
        "Id of the trusted browser, as `GET /admin/users/{id}/trusted-devices` returns it.",
      ),
    }),
    answers: { 200: "Deleted", 404: "Error" },
    find: findUser,
    handle: async ({ params: { id, deviceId }, caller }, context) => ({
      deleted: await removeUserTrustedDevice({ userId: id, deviceId }, caller, context),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/users/:id/mfa/reset",
    summary: "Remove a user's second factor",
    description:
      "Deletes the user's TOTP secret, recovery codes and trusted browsers, and ends all " +
      "sessions of the user. The operation also does this if the second factor is already off. " +
      "If the second factor was on, the user is notified by e-mail. 403 `own_account` for the " +
      "caller's own account: use `POST /auth/me/account/totp/disable`.",
    confirms: true,
    params: rowIdParams,
    answers: { 200: "TotpState", 404: "Error" },
    find: findUser,
    handle: async ({ params: { id }, caller }, context) => {
      await resetMfa(id, caller, context);
      return { totp_enabled: false };
    },
  }),
];
