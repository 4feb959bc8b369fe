import Joi from "joi";

import {
  guardingSettings,
  type Settings,
  settings,
  siteModes,
} from "../../shared/settings/catalogue.ts";
import { readSettings, writeSettings } from "../../shared/settings/settings.ts";
import { changeSiteMode, type SiteModeChange } from "../../shared/settings/site-mode.ts";
import { validated } from "../http/etag.ts";
import { proseField } from "../http/prose.ts";
import { route } from "../http/route.ts";
import { viewPublicSettings } from "./views.ts";

const settingFields = Object.fromEntries(
  Object.entries(settings).map(([name, { schema }]) => [name, schema]),
) as Record<keyof Settings, Joi.Schema>;

export const settingsRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/settings",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "What clients need to know of how the site is set up",
    answers: { 200: "PublicSettings", 304: "" },
    ...validated,
    keepMs: 0,
    handle: async (_input, context) =>
      viewPublicSettings(await readSettings(context), context.config),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/settings",
    gate: "roles:admin",
    set: "additive",
    tag: "Site",
    summary: "All settings",
    answers: { 200: { enveloped: "settings", shape: "Settings" } },
    handle: async (_input, context) => ({ settings: await readSettings(context) }),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/settings",
    gate: "roles:admin",
    set: "core",
    tag: "Site",
    summary: "Change settings",
    description:
      "Settings that are not named stay as they are; an unknown name is refused. Who asks staff for " +
      "a second factor must have one.",
    confirms: true,
    confirmsFor: guardingSettings,
    body: Joi.object<Partial<Settings>>(settingFields).example({ registration_enabled: true }),
    unknownFields: "refused",
    answers: { 200: { enveloped: "settings", shape: "Settings" }, 409: "Error" },
    handle: async ({ body, caller }, context) => ({
      settings: await writeSettings(body, caller, context),
    }),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/site-mode",
    gate: "roles:admin",
    set: "core",
    tag: "Site",
    summary: "Open the site, close it or put it into maintenance",
    description:
      "In maintenance the site is for staff, closed it is for administrators alone; everyone else " +
      "is answered 503 with the message. Signing in, status, settings and these pages stay open.",
    body: Joi.object<SiteModeChange>({
      site_mode: Joi.string()
        .valid(...siteModes)
        .required(),
      status_message: proseField({ min: 0, max: 500 }).allow(null, ""),
    }),
    answers: { 200: "ChangedSiteMode" },
    handle: ({ body, caller }, context) => changeSiteMode(body, caller, context),
  }),
];
