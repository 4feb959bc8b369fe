import Joi from "joi";

import {
  accountProtectingSettings,
  type Settings,
  settings,
  siteModes,
} from "../../shared/platform/settings/catalogue.ts";
import { readSettings, writeSettings } from "../../shared/platform/settings/settings.ts";
import { changeSiteMode, type SiteModeChange } from "../../shared/platform/settings/site-mode.ts";
import { validatorRouteOptions } from "../http/etag.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { viewPublicSettings } from "./views.ts";

const settingFields = Object.fromEntries(
  Object.entries(settings).map(([name, { schema }]) => [name, schema]),
) as Record<keyof Settings, Joi.Schema>;

export const settingsRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/public/settings",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Retrieve the public settings",
    description:
      "Returns the settings that clients need before sign-in: the features that are on, the key " +
      "for push subscriptions, and the length limits for usernames and passwords.",
    answers: { 200: "PublicSettings", 304: "" },
    ...validatorRouteOptions,
    keepMs: 0,
    handle: async (_input, context) =>
      viewPublicSettings(await readSettings(context), context.config),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/admin/settings",
    gate: "roles:admin",
    set: "additive",
    tag: "Site",
    summary: "Retrieve all settings",
    description:
      "Returns all settings except the site mode, which `GET /public/status` returns and `PUT " +
      "/admin/site-mode` changes.",
    answers: { 200: { enveloped: "settings", shape: "Settings" } },
    handle: async (_input, context) => ({ settings: await readSettings(context) }),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/admin/settings",
    gate: "roles:admin",
    set: "core",
    tag: "Site",
    summary: "Change settings",
    description:
      "Settings that the request does not contain keep their values. The change takes effect " +
      "immediately, and the activity log records it. 400 `validation_failed` if the request " +
      "contains an unknown setting. 409 `second_factor_disabled` if an administrator without a " +
      "second factor turns `staff_second_factor_required` on.",
    confirms: true,
    confirmsFor: accountProtectingSettings,
    body: Joi.object<Partial<Settings>>(settingFields).example({ registration_enabled: true }),
    unknownFields: "refused",
    answers: { 200: { enveloped: "settings", shape: "Settings" }, 409: "Error" },
    handle: async ({ body, caller }, context) => ({
      settings: await writeSettings(body, caller, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     ChangedSiteMode:
   *       type: object
   *       additionalProperties: false
   *       required: [site_mode, changed_at, changed_by]
   *       properties:
   *         site_mode: { $ref: '#/components/schemas/SiteMode' }
   *         changed_at: { type: string, format: date-time }
   *         changed_by: { type: integer, description: Id of the administrator who changed the site mode. }
   */
  defineRoute({
    method: "put",
    path: "/api/v1/admin/site-mode",
    gate: "roles:admin",
    set: "core",
    tag: "Site",
    summary: "Change the site mode",
    description:
      "`maintenance` admits only staff, `closed` only administrators. Everyone else receives 503 " +
      "`site_maintenance` or `site_closed` with `status_message` as the error text, and their " +
      "event streams end. `/auth/*`, `/public/status`, `/public/settings` and the API " +
      "documentation stay open. The change takes effect immediately, and the activity log " +
      "records it.",
    body: Joi.object<SiteModeChange>({
      site_mode: Joi.string()
        .valid(...siteModes)
        .required(),
      status_message: proseField({ min: 0, max: 500 })
        .allow(null, "")
        .description(
          "Message for people whom the site mode excludes. If absent, null or empty, a standard " +
            "text is shown.",
        ),
    }),
    answers: { 200: "ChangedSiteMode" },
    handle: ({ body, caller }, context) => changeSiteMode(body, caller, context),
  }),
];
