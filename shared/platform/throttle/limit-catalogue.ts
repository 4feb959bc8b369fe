import type { Config } from "../config/config.ts";
import type { Subject } from "./subjects.ts";

export interface RateLimit {
  readonly max: Extract<keyof Config, `RL_${string}_MAX`>;
  readonly window: Extract<keyof Config, `RL_${string}_WINDOW`>;
  /**
   * What is counted. Limits per `address`, `addressAndProvider` and `site` count the wider networks of
   * the address too, up to a multiple of the number; `site` gives an IPv6 /56, as one household may
   * hold, the number of one address. `addressAndUsername` counts none: `loginFailed` counts the same
   * failures for them.
   */
  readonly per:
    | "address"
    | "addressAndProvider"
    | "addressAndUsername"
    | "site"
    | "user"
    | "username"
    | "email"
    | "device";
  /**
   * When a request is counted: on `arrival`, before sign-in is asked for; on `entry`, once its
   * caller was let in; on `success`, where a refused request counts for nothing; or by the `code`
   * that the limit guards. A route names limits of the first three kinds.
   */
  readonly counted: "arrival" | "entry" | "success" | "code";
  /**
   * What becomes of a request that a browser marks as a foreign page's (another site, a subdomain); neither
   * way spends what the visitor has. `refused`: the request gets to no work that the limit guards, so a
   * program that sends the mark gains no try of a secret and no use. `apart`: answered under a count of its
   * own, only where links of other sites and apps begin a sign-in. A program that sends the mark has the
   * limit twice there.
   */
  readonly foreign: "refused" | "apart";
  /** Whether answers tell what is left; on the way in that would help those who guess. */
  readonly isTold?: true;
  /**
   * In memory, where what is counted costs less than a row of the table: each process counts for
   * itself, and none remembers after a restart.
   */
  readonly isKeptInMemory?: true;
}

const refused = { foreign: "refused" } as const;
const apart = { foreign: "apart" } as const;

const login = { ...refused, window: "RL_LOGIN_WINDOW", counted: "code" } as const;
const userChange = {
  ...refused,
  max: "RL_USER_CHANGE_MAX",
  window: "RL_USER_CHANGE_WINDOW",
} as const;

/**
 * CATALOGUE of counts that end by themselves: who is counted and when, and the variables that say
 * how many in which time.
 */
const rateLimits = {
  loginTotal: { ...login, max: "RL_LOGIN_TOTAL_MAX", per: "address" },
  loginFailed: { ...login, max: "RL_LOGIN_FAILED_MAX", per: "address" },
  loginPair: { ...login, max: "RL_LOGIN_PAIR_MAX", per: "addressAndUsername" },
  loginUser: {
    ...refused,
    max: "RL_LOGIN_USER_MAX",
    window: "RL_LOGIN_USER_WINDOW",
    per: "username",
    counted: "code",
  },
  register: {
    ...refused,
    max: "RL_REGISTER_MAX",
    window: "RL_REGISTER_WINDOW",
    per: "address",
    counted: "arrival",
  },
  forgot: {
    ...refused,
    max: "RL_FORGOT_MAX",
    window: "RL_FORGOT_WINDOW",
    per: "address",
    counted: "arrival",
  },
  resetMail: {
    ...refused,
    max: "RL_RESET_MAIL_MAX",
    window: "RL_RESET_MAIL_WINDOW",
    per: "email",
    counted: "code",
  },
  reset: {
    ...refused,
    max: "RL_RESET_MAX",
    window: "RL_RESET_WINDOW",
    per: "address",
    counted: "arrival",
  },
  invite: {
    ...refused,
    max: "RL_INVITE_MAX",
    window: "RL_INVITE_WINDOW",
    per: "address",
    counted: "arrival",
  },
  refresh: {
    ...refused,
    max: "RL_REFRESH_MAX",
    window: "RL_REFRESH_WINDOW",
    per: "address",
    counted: "arrival",
  },
  refreshFamily: {
    ...refused,
    max: "RL_REFRESH_FAMILY_MAX",
    window: "RL_REFRESH_FAMILY_WINDOW",
    per: "device",
    counted: "code",
  },
  // Each start writes a row and asks the provider for its addresses.
  ssoStart: {
    ...apart,
    max: "RL_SSO_START_MAX",
    window: "RL_SSO_START_WINDOW",
    per: "address",
    counted: "arrival",
  },
  mobileStart: {
    ...apart,
    max: "RL_MOBILE_START_MAX",
    window: "RL_MOBILE_START_WINDOW",
    per: "addressAndProvider",
    counted: "code",
  },
  mobileExchange: {
    ...refused,
    max: "RL_MOBILE_EXCHANGE_MAX",
    window: "RL_MOBILE_EXCHANGE_WINDOW",
    per: "address",
    counted: "arrival",
  },
  userChange: { ...userChange, per: "user", counted: "entry" },
  // Wrong passwords and codes of confirmations.
  confirmation: { ...userChange, per: "user", counted: "code" },
  // As many, in a count of its own: wrong passwords must not keep anybody from signing others out.
  endSessions: { ...userChange, per: "user", counted: "entry" },
  export: {
    ...refused,
    max: "RL_EXPORT_MAX",
    window: "RL_EXPORT_WINDOW",
    per: "user",
    counted: "entry",
  },
  linkCode: {
    ...refused,
    max: "RL_LINK_CODE_MAX",
    window: "RL_LINK_CODE_WINDOW",
    per: "user",
    counted: "entry",
  },
  linkCodeAddress: {
    ...refused,
    max: "RL_LINK_CODE_IP_MAX",
    window: "RL_LINK_CODE_IP_WINDOW",
    per: "address",
    counted: "arrival",
  },
  // Wrong codes of Steam links.
  steamLink: {
    ...refused,
    max: "RL_SURVIVAL_LINK_MAX",
    window: "RL_SURVIVAL_LINK_WINDOW",
    per: "user",
    counted: "code",
  },
  steamLinkAddress: {
    ...refused,
    max: "RL_SURVIVAL_LINK_IP_MAX",
    window: "RL_SURVIVAL_LINK_WINDOW",
    per: "address",
    counted: "code",
  },
  gameAccount: {
    ...refused,
    max: "RL_GAME_ACCOUNT_MAX",
    window: "RL_GAME_ACCOUNT_WINDOW",
    per: "site",
    counted: "success",
  },
  // Refusals tell which names are taken.
  gameAccountTry: {
    ...refused,
    max: "RL_GAME_ACCOUNT_TRY_MAX",
    window: "RL_GAME_ACCOUNT_TRY_WINDOW",
    per: "user",
    counted: "entry",
  },
  pushTest: {
    ...refused,
    max: "RL_PUSH_TEST_MAX",
    window: "RL_PUSH_TEST_WINDOW",
    per: "user",
    counted: "entry",
  },
  marketSave: {
    ...refused,
    max: "RL_MARKET_SAVE_MAX",
    window: "RL_MARKET_SAVE_WINDOW",
    per: "user",
    counted: "entry",
  },
  webhookTest: {
    ...refused,
    max: "RL_WEBHOOK_TEST_MAX",
    window: "RL_WEBHOOK_TEST_WINDOW",
    per: "user",
    counted: "entry",
  },
  appeal: {
    ...refused,
    max: "RL_APPEAL_MAX",
    window: "RL_APPEAL_WINDOW",
    per: "user",
    counted: "code",
  },
  appealMessage: {
    ...refused,
    max: "RL_APPEAL_MESSAGE_MAX",
    window: "RL_APPEAL_MESSAGE_WINDOW",
    per: "user",
    counted: "code",
  },
  // It guards the cost of reading alone: nothing is guessed or done by searching.
  market: {
    ...refused,
    max: "RL_MARKET_MAX",
    window: "RL_MARKET_WINDOW",
    per: "address",
    counted: "arrival",
    isTold: true,
    isKeptInMemory: true,
  },
  // The same of searches of the content.
  search: {
    ...refused,
    max: "RL_SEARCH_MAX",
    window: "RL_SEARCH_WINDOW",
    per: "address",
    counted: "arrival",
    isTold: true,
    isKeptInMemory: true,
  },
  // The same of the places of players among all.
  ranking: {
    ...refused,
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

/** Limits that are counted for a route that names them. */
export type RouteLimitName = {
  [Name in RateLimitName]: RateLimits[Name]["counted"] extends "code" ? never : Name;
}[RateLimitName];

/** Limits that count the wider networks of an address too. */
type AddressLimitName = {
  [Name in RateLimitName]: RateLimits[Name]["per"] extends "address" | "addressAndProvider" | "site"
    ? Name
    : never;
}[RateLimitName];

/** What a limit counts: a text is enough only where no networks are counted. */
export type SubjectsOf<Name extends RateLimitName> = Name extends AddressLimitName
  ? readonly Subject[]
  : string | readonly Subject[];

export const limitOf = (name: RateLimitName): RateLimit => rateLimits[name];

/** Whether a use of this limit is given back when the request that spent it is refused. */
export const countsSuccess = (name: RateLimitName): boolean => limitOf(name).counted === "success";
