import Joi from "joi";

import { botVariables } from "./bot-variables.ts";
import { loginVariables } from "./login-variables.ts";
import { durationSchema } from "./values.ts";
import {
  defineVariable,
  windowVariable,
  networkFactorVariable,
  limitVariable,
} from "./variable.ts";

export const throttleVariables = {
  RL_SITE_TIMES: networkFactorVariable(
    4,
    "all addresses of an IPv6 /56 together have this many times the limit of one IP address; " +
      "applies to the RL_… limits of addresses, SSE_MAX_PER_IP and BOT_BAN_SCORE",
  ),
  RL_NETWORK_TIMES: networkFactorVariable(
    16,
    "all addresses of an IPv6 /48 or IPv4 /24 together have this many times the limit of one IP " +
      "address; applies to the RL_… limits of addresses and BOT_BAN_SCORE",
  ),
  ...loginVariables,
  RL_REGISTER_MAX: limitVariable(
    10,
    "largest number of user accounts that one IP address may register in RL_REGISTER_WINDOW",
  ),
  RL_REGISTER_WINDOW: windowVariable("1h", "time over which registrations are counted"),
  RL_FORGOT_MAX: limitVariable(
    5,
    "largest number of requests for a password reset link from one IP address in RL_FORGOT_WINDOW",
  ),
  RL_FORGOT_WINDOW: windowVariable(
    "15m",
    "time over which requests for a password reset link are counted",
  ),
  RL_RESET_MAIL_MAX: limitVariable(
    3,
    "largest number of password reset mails to one e-mail address in RL_RESET_MAIL_WINDOW",
  ),
  RL_RESET_MAIL_WINDOW: windowVariable("1h", "time over which password reset mails are counted"),
  RL_RESET_MAX: limitVariable(
    10,
    "largest number of attempts to use a password reset link from one IP address in " +
      "RL_RESET_WINDOW",
  ),
  RL_RESET_WINDOW: windowVariable(
    "15m",
    "time over which attempts to use a password reset link are counted",
  ),
  RL_INVITE_MAX: limitVariable(
    20,
    "largest number of attempts to use an invitation from one IP address in RL_INVITE_WINDOW",
  ),
  RL_INVITE_WINDOW: windowVariable(
    "15m",
    "time over which attempts to use an invitation are counted",
  ),
  RL_REFRESH_MAX: limitVariable(
    30,
    "largest number of token refreshes from one IP address in RL_REFRESH_WINDOW",
  ),
  RL_REFRESH_WINDOW: windowVariable(
    "1m",
    "time over which the token refreshes of an IP address are counted",
  ),
  RL_REFRESH_FAMILY_MAX: limitVariable(
    6,
    "largest number of token refreshes of one device session in RL_REFRESH_FAMILY_WINDOW",
  ),
  RL_REFRESH_FAMILY_WINDOW: windowVariable(
    "1m",
    "time over which the token refreshes of a device session are counted",
  ),
  RL_SSO_START_MAX: limitVariable(
    30,
    "largest number of sign-ins at providers that one IP address may start in RL_SSO_START_WINDOW",
  ),
  RL_SSO_START_WINDOW: windowVariable(
    "1m",
    "time over which starts of sign-ins at providers are counted",
  ),
  RL_MOBILE_START_MAX: limitVariable(
    10,
    "largest number of sign-ins in an app that one IP address may start at one provider in " +
      "RL_MOBILE_START_WINDOW",
  ),
  RL_MOBILE_START_WINDOW: windowVariable(
    "1m",
    "time over which starts of sign-ins in an app are counted",
  ),
  RL_MOBILE_EXCHANGE_MAX: limitVariable(
    20,
    "largest number of sign-ins in an app that one IP address may complete in " +
      "RL_MOBILE_EXCHANGE_WINDOW",
  ),
  RL_MOBILE_EXCHANGE_WINDOW: windowVariable(
    "1m",
    "time over which completed sign-ins in an app are counted",
  ),
  RL_USER_CHANGE_MAX: limitVariable(
    10,
    "largest number of changes that one user may make to their own account, such as name, " +
      "password or second factor, in RL_USER_CHANGE_WINDOW; requests to end sessions have the " +
      "same limit and are counted separately",
  ),
  RL_USER_CHANGE_WINDOW: windowVariable(
    "10m",
    "time over which a user's changes to their own account are counted",
  ),
  RL_EXPORT_MAX: limitVariable(
    3,
    "largest number of downloads of their own data by one user in RL_EXPORT_WINDOW",
  ),
  RL_EXPORT_WINDOW: windowVariable(
    "1d",
    "time over which a user's downloads of their own data are counted",
  ),
  RL_LINK_CODE_MAX: limitVariable(
    10,
    "largest number of link codes of game accounts that one user may try in RL_LINK_CODE_WINDOW",
  ),
  RL_LINK_CODE_WINDOW: windowVariable(
    "10m",
    "time over which the link codes of game accounts that a user tries are counted",
  ),
  RL_LINK_CODE_IP_MAX: limitVariable(
    20,
    "largest number of link codes of game accounts that one IP address may try in " +
      "RL_LINK_CODE_IP_WINDOW",
  ),
  RL_LINK_CODE_IP_WINDOW: windowVariable(
    "10m",
    "time over which the link codes of game accounts that an IP address tries are counted",
  ),
  RL_SURVIVAL_LINK_MAX: limitVariable(
    10,
    "largest number of wrong codes for Steam links that one user may enter in " +
      "RL_SURVIVAL_LINK_WINDOW",
  ),
  RL_SURVIVAL_LINK_IP_MAX: limitVariable(
    30,
    "largest number of wrong codes for Steam links that one IP address may enter in " +
      "RL_SURVIVAL_LINK_WINDOW",
  ),
  RL_SURVIVAL_LINK_WINDOW: windowVariable(
    "15m",
    "time over which wrong codes for Steam links are counted",
  ),
  RL_GAME_ACCOUNT_MAX: limitVariable(
    3,
    "largest number of game accounts that one IP address may create in RL_GAME_ACCOUNT_WINDOW",
  ),
  RL_GAME_ACCOUNT_WINDOW: windowVariable(
    "1d",
    "time over which the game accounts that an IP address creates are counted",
  ),
  RL_GAME_ACCOUNT_TRY_MAX: limitVariable(
    30,
    "largest number of attempts of one user to create a game account in RL_GAME_ACCOUNT_TRY_WINDOW",
  ),
  RL_GAME_ACCOUNT_TRY_WINDOW: windowVariable(
    "1h",
    "time over which a user's attempts to create a game account are counted",
  ),
  RL_APPEAL_MAX: limitVariable(
    5,
    "largest number of appeals that one user may open in RL_APPEAL_WINDOW",
  ),
  RL_APPEAL_WINDOW: windowVariable("1d", "time over which a user's appeals are counted"),
  RL_APPEAL_MESSAGE_MAX: limitVariable(
    20,
    "largest number of messages that one user may write to their appeals in " +
      "RL_APPEAL_MESSAGE_WINDOW",
  ),
  RL_APPEAL_MESSAGE_WINDOW: windowVariable(
    "1h",
    "time over which a user's messages to appeals are counted",
  ),
  RL_MARKET_MAX: limitVariable(
    60,
    "largest number of market searches from one IP address in RL_MARKET_WINDOW; each web process " +
      "counts separately",
  ),
  RL_MARKET_WINDOW: windowVariable("1m", "time over which market searches are counted"),
  RL_MARKET_SAVE_MAX: limitVariable(
    60,
    "largest number of market searches that one user may save in RL_MARKET_SAVE_WINDOW",
  ),
  RL_MARKET_SAVE_WINDOW: windowVariable("1h", "time over which saved market searches are counted"),
  RL_PUSH_TEST_MAX: limitVariable(
    5,
    "largest number of test messages that one user may send to devices in RL_PUSH_TEST_WINDOW",
  ),
  RL_PUSH_TEST_WINDOW: windowVariable(
    "1m",
    "time over which a user's test messages to devices are counted",
  ),
  RL_WEBHOOK_TEST_MAX: limitVariable(
    10,
    "largest number of test messages that one user may send to webhooks in RL_WEBHOOK_TEST_WINDOW",
  ),
  RL_WEBHOOK_TEST_WINDOW: windowVariable(
    "1m",
    "time over which a user's test messages to webhooks are counted",
  ),
  RL_SEARCH_MAX: limitVariable(
    60,
    "largest number of searches in news, wiki and pages from one IP address in RL_SEARCH_WINDOW; " +
      "each web process counts separately",
  ),
  RL_SEARCH_WINDOW: windowVariable(
    "1m",
    "time over which searches in news, wiki and pages are counted",
  ),
  RL_REPORT_MAX: defineVariable(
    Joi.number().integer().min(1).max(1_000_000).default(600),
    "largest number of reports of players that one game server may send in RL_REPORT_WINDOW, and of " +
      "requests with unknown report keys from one IP address; each web process counts separately",
    (value) => (value < 30 ? "must be 30 or more in production" : undefined),
  ),
  RL_REPORT_WINDOW: defineVariable(
    durationSchema("1m", { least: "1s", most: "1m" }),
    "time over which reports of players are counted",
  ),
  RL_RANKING_MAX: limitVariable(
    120,
    "largest number of reads of rankings from one IP address in RL_RANKING_WINDOW; each web " +
      "process counts separately",
  ),
  RL_RANKING_WINDOW: windowVariable("1m", "time over which reads of rankings are counted"),
  ...botVariables,
} as const;
