import Joi from "joi";

interface Setting<T> {
  readonly schema: Joi.AnySchema<T>;
  readonly byDefault: T;
  readonly isPublic: boolean;
  /** The name of the setting in the public API, if it is public. */
  readonly publicName?: string;
}

const privateSetting = <T>(schema: Joi.AnySchema<T>, byDefault: T): Setting<T> => ({
  schema,
  byDefault,
  isPublic: false,
});

const publicSetting = <T>(
  publicName: string,
  schema: Joi.AnySchema<T>,
  byDefault: T,
): Setting<T> => ({
  schema,
  byDefault,
  isPublic: true,
  publicName,
});

/** CATALOGUE of the settings on the settings page. */
export const settings = {
  registration_enabled: publicSetting(
    "registration",
    Joi.boolean().description("Whether anyone can register an account."),
    false,
  ),
  game_account_signup: publicSetting(
    "gameAccountSignup",
    Joi.boolean().description("Whether users can create game accounts on the site."),
    false,
  ),
  mobile_app_links_enabled: publicSetting(
    "mobileAppLinks",
    Joi.boolean().description("Whether links to the site open in the mobile app."),
    false,
  ),
  staff_second_factor_required: privateSetting(
    Joi.boolean().description(
      "Whether all staff operations are 403 `second_factor_required` for staff without a second " +
        "factor.",
    ),
    false,
  ),
  appeals_enabled: privateSetting(
    Joi.boolean().description(
      "Whether players can appeal against bans. If true, the message that the game shows to a " +
        "banned player contains the URL for appeals.",
    ),
    true,
  ),
} as const;

/** Settings that protect accounts. The caller must confirm a change of them. */
export const accountProtectingSettings = [
  "staff_second_factor_required",
] as const satisfies readonly (keyof typeof settings)[];

export const siteModes = ["live", "maintenance", "closed"] as const;

export interface StoredSiteMode {
  readonly site_mode: (typeof siteModes)[number];
  readonly status_message: string | null;
}

const siteMode = Joi.object<StoredSiteMode, true>({
  site_mode: Joi.string()
    .valid(...siteModes)
    .required(),
  status_message: Joi.string().allow(null).required(),
});

/** A path. If null, the path from the environment variable is used. */
const path: Joi.AnySchema<string | null> = Joi.string().allow(null);

/** CATALOGUE of settings that have a route of their own. */
const separateSettings = {
  site_mode: privateSetting<StoredSiteMode>(siteMode, { site_mode: "live", status_message: null }),
  atlas_path: privateSetting<string | null>(path, null),
  cliloc_path: privateSetting<string | null>(path, null),
} as const;

export const allSettings = { ...settings, ...separateSettings };

type ValuesOf<Catalogue> = {
  readonly [Name in keyof Catalogue]: Catalogue[Name] extends Setting<infer T> ? T : never;
};

export type Settings = ValuesOf<typeof settings>;
export type SettingValues = ValuesOf<typeof allSettings>;
export type SettingName = keyof SettingValues;

export const listedSettingNames = Object.keys(settings) as (keyof Settings)[];
export const publicSettingNames = listedSettingNames.filter((name) => settings[name].isPublic);
