import type { Config } from "../config/config.ts";
import type { CountedSubject } from "./subjects.ts";

export interface RateLimit {
  readonly max: Extract<keyof Config, `RL_${string}_MAX`>;
  readonly window: Extract<keyof Config, `RL_${string}_WINDOW`>;
  /**
   * The counted subject. `address`, `addressAndProvider` and `site` also count wider networks, with a
   * multiple of the limit. `site` gives an IPv6 /56, which one household may have, the limit of one
   * address. `addressAndUsername` counts no networks, because `loginFailed` counts the same failures for
   * them.
   */
  readonly per:
    | "address"
    | "addressAndProvider"
    | "addressAndUsername"
    | "site"
    | "user"
    | "username"
    | "email"
    | "device"
    | "server";
  /**
   * The time of counting. `arrival`: before authentication. `entry`: after the caller is authorized.
   * `success`: refused requests do not count. `code`: by the code that the limit protects. A route can
   * name limits of the first three kinds.
   */
  readonly counted: "arrival" | "entry" | "success" | "code";
  /**
   * The handling of a request that a browser marks as sent by a page of another site or subdomain, so that the
   * visitor's limit is not used up. `refused`: the request is refused before the protected work, so a program
   * gains nothing from sending the mark. `apart`: the request is counted separately, only for links of other
   * sites and apps that begin a sign-in. A program that sends the mark gets twice the limit there.
   */
  readonly foreign: "refused" | "apart";
  /** True if answers contain the remaining uses. Omit it for sign-in, where it would help guessers. */
  readonly isTold?: true;
  /**
   * True to count in memory, per process and until a restart: a table row would cost more than the limited work.
   */
  readonly isKeptInMemory?: true;
}

const crossSiteRefused = { foreign: "refused" } as const;
const crossSiteApart = { foreign: "apart" } as const;

const login = { ...crossSiteRefused, window: "RL_LOGIN_WINDOW", counted: "code" } as const;
const userChange = {
  ...crossSiteRefused,
  max: "RL_USER_CHANGE_MAX",
  window: "RL_USER_CHANGE_WINDOW",
} as const;

const report = {
  ...crossSiteRefused,
  max: "RL_REPORT_MAX",
  window: "RL_REPORT_WINDOW",
  counted: "code",
  isKeptInMemory: true,
} as const;

/** CATALOGUE of limits, with their subject, time of counting, and the variables of number and window. */
const rateLimits = {
  loginTotal: { ...login, max: "RL_LOGIN_TOTAL_MAX", per: "address" },
  loginFailed: { ...login, max: "RL_LOGIN_FAILED_MAX", per: "address" },
  loginPair: { ...login, max: "RL_LOGIN_PAIR_MAX", per: "addressAndUsername" },
  loginUser: {
    ...crossSiteRefused,
    max: "RL_LOGIN_USER_MAX",
    window: "RL_LOGIN_USER_WINDOW",
    per: "username",
    counted: "code",
  },
  register: {
    ...crossSiteRefused,
    max: "RL_REGISTER_MAX",
    window: "RL_REGISTER_WINDOW",
    per: "address",
    counted: "arrival",
  },
  forgot: {
    ...crossSiteRefused,
    max: "RL_FORGOT_MAX",
    window: "RL_FORGOT_WINDOW",
    per: "address",
    counted: "arrival",
  },
  resetMail: {
    ...crossSiteRefused,
    max: "RL_RESET_MAIL_MAX",
    window: "RL_RESET_MAIL_WINDOW",
    per: "email",
    counted: "code",
  },
  reset: {
    ...crossSiteRefused,
    max: "RL_RESET_MAX",
    window: "RL_RESET_WINDOW",
    per: "address",
    counted: "arrival",
  },
  invite: {
    ...crossSiteRefused,
    max: "RL_INVITE_MAX",
    window: "RL_INVITE_WINDOW",
    per: "address",
    counted: "arrival",
  },
  refresh: {
    ...crossSiteRefused,
    max: "RL_REFRESH_MAX",
    window: "RL_REFRESH_WINDOW",
    per: "address",
    counted: "arrival",
  },
  refreshFamily: {
    ...crossSiteRefused,
    max: "RL_REFRESH_FAMILY_MAX",
    window: "RL_REFRESH_FAMILY_WINDOW",
    per: "device",
    counted: "code",
  },
  // Limits starts, because each stores a row and requests the provider's metadata.
  ssoStart: {
    ...crossSiteApart,
    max: "RL_SSO_START_MAX",
    window: "RL_SSO_START_WINDOW",
    per: "address",
    counted: "arrival",
  },
  mobileStart: {
    ...crossSiteApart,
    max: "RL_MOBILE_START_MAX",
    window: "RL_MOBILE_START_WINDOW",
    per: "addressAndProvider",
    counted: "code",
  },
  mobileExchange: {
    ...crossSiteRefused,
    max: "RL_MOBILE_EXCHANGE_MAX",
    window: "RL_MOBILE_EXCHANGE_WINDOW",
    per: "address",
    counted: "arrival",
  },
  userChange: { ...userChange, per: "user", counted: "entry" },
  // Counts wrong passwords and wrong codes by which users confirm a request.
  confirmation: { ...userChange, per: "user", counted: "code" },
  // Has a count of its own, so that wrong passwords cannot keep a user from ending sessions.
  endSessions: { ...userChange, per: "user", counted: "entry" },
  export: {
    ...crossSiteRefused,
    max: "RL_EXPORT_MAX",
    window: "RL_EXPORT_WINDOW",
    per: "user",
    counted: "entry",
  },
  linkCode: {
    ...crossSiteRefused,
    max: "RL_LINK_CODE_MAX",
    window: "RL_LINK_CODE_WINDOW",
    per: "user",
    counted: "entry",
  },
  linkCodeAddress: {
    ...crossSiteRefused,
    max: "RL_LINK_CODE_IP_MAX",
    window: "RL_LINK_CODE_IP_WINDOW",
    per: "address",
    counted: "arrival",
  },
  // Counts wrong codes by which users link a Steam account.
  steamLink: {
    ...crossSiteRefused,
    max: "RL_SURVIVAL_LINK_MAX",
    window: "RL_SURVIVAL_LINK_WINDOW",
    per: "user",
    counted: "code",
  },
  steamLinkAddress: {
    ...crossSiteRefused,
    max: "RL_SURVIVAL_LINK_IP_MAX",
    window: "RL_SURVIVAL_LINK_WINDOW",
    per: "address",
    counted: "code",
  },
  gameAccount: {
    ...crossSiteRefused,
    max: "RL_GAME_ACCOUNT_MAX",
    window: "RL_GAME_ACCOUNT_WINDOW",
    per: "site",
    counted: "success",
  },
  // Limits attempts, because refusals reveal taken names.
  gameAccountTry: {
    ...crossSiteRefused,
    max: "RL_GAME_ACCOUNT_TRY_MAX",
    window: "RL_GAME_ACCOUNT_TRY_WINDOW",
    per: "user",
    counted: "entry",
  },
  pushTest: {
    ...crossSiteRefused,
    max: "RL_PUSH_TEST_MAX",
    window: "RL_PUSH_TEST_WINDOW",
    per: "user",
    counted: "entry",
  },
  marketSave: {
    ...crossSiteRefused,
    max: "RL_MARKET_SAVE_MAX",
    window: "RL_MARKET_SAVE_WINDOW",
    per: "user",
    counted: "entry",
  },
  webhookTest: {
    ...crossSiteRefused,
    max: "RL_WEBHOOK_TEST_MAX",
    window: "RL_WEBHOOK_TEST_WINDOW",
    per: "user",
    counted: "entry",
  },
  appeal: {
    ...crossSiteRefused,
    max: "RL_APPEAL_MAX",
    window: "RL_APPEAL_WINDOW",
    per: "user",
    counted: "code",
  },
  appealMessage: {
    ...crossSiteRefused,
    max: "RL_APPEAL_MESSAGE_MAX",
    window: "RL_APPEAL_MESSAGE_WINDOW",
    per: "user",
    counted: "code",
  },
  // Limits only the cost of reads, because a search cannot be used for guessing and changes nothing.
  market: {
    ...crossSiteRefused,
    max: "RL_MARKET_MAX",
    window: "RL_MARKET_WINDOW",
    per: "address",
    counted: "arrival",
    isTold: true,
    isKeptInMemory: true,
  },
  // Limits the cost of content searches.
  search: {
    ...crossSiteRefused,
    max: "RL_SEARCH_MAX",
    window: "RL_SEARCH_WINDOW",
    per: "address",
    counted: "arrival",
    isTold: true,
    isKeptInMemory: true,
  },
  // Limits reports of a game server. The game does not repeat a refused report, so the limit is high.
  report: { ...report, per: "server" },
  // Counts unknown report keys. A server's limit is separate, so that others at its address cannot use it up.
  reportKeyUnknown: { ...report, per: "address" },
  // Limits the cost of ranking lookups.
  ranking: {
    ...crossSiteRefused,
    max: "RL_RANKING_MAX",
    window: "RL_RANKING_WINDOW",
    per: "address",
    counted: "arrival",
    isTold: true,
    isKeptInMemory: true,
  },
} as const satisfies Readonly<Record<string, RateLimit>>;

type RateLimits = typeof rateLimits;
export type RateLimitName = keyof RateLimits;

/** Limits that a route can name. */
export type RouteLimitName = {
  [Name in RateLimitName]: RateLimits[Name]["counted"] extends "code" ? never : Name;
}[RateLimitName];

/** Limits that also count the wider networks of an address. */
type AddressLimitName = {
  [Name in RateLimitName]: RateLimits[Name]["per"] extends "address" | "addressAndProvider" | "site"
    ? Name
    : never;
}[RateLimitName];

/** The subjects of a limit. A plain text is allowed only if no networks are counted. */
export type LimitSubjects<Name extends RateLimitName> = Name extends AddressLimitName
  ? readonly CountedSubject[]
  : string | readonly CountedSubject[];

export const findRateLimit = (name: RateLimitName): RateLimit => rateLimits[name];

/** True if the use is given back when the request is refused. */
export const isCountedOnSuccess = (name: RateLimitName): boolean =>
  findRateLimit(name).counted === "success";
