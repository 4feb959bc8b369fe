import { botVariables } from "./bot-variables.ts";
import { span, times, tries } from "./limit.ts";
import { loginVariables } from "./login-variables.ts";

/** How much anybody may try, and when an address is shut out. */
export const throttleVariables = {
  RL_SITE_TIMES: times(
    4,
    "how many times the limit of one address all addresses of an IPv6 /56 have together; for " +
      "the RL_… limits of addresses, SSE_MAX_PER_IP and BOT_BAN_SCORE",
  ),
  RL_NETWORK_TIMES: times(
    16,
    "the same factor for an IPv6 /48 and an IPv4 /24; event streams have SSE_MAX_PER_NETWORK " +
      "instead",
  ),
  ...loginVariables,
  RL_REGISTER_MAX: tries(10, "accounts that one address may register in RL_REGISTER_WINDOW"),
  RL_REGISTER_WINDOW: span("1h", "time over which registrations are counted"),
  RL_FORGOT_MAX: tries(5, "requests for a reset link from one address in RL_FORGOT_WINDOW"),
  RL_FORGOT_WINDOW: span("15m", "time over which requests for a reset link are counted"),
  RL_RESET_MAIL_MAX: tries(3, "reset mails to one e-mail address in RL_RESET_MAIL_WINDOW"),
  RL_RESET_MAIL_WINDOW: span("1h", "time over which reset mails are counted"),
  RL_RESET_MAX: tries(10, "uses of reset links by one address in RL_RESET_WINDOW"),
  RL_RESET_WINDOW: span("15m", "time over which uses of reset links are counted"),
  RL_INVITE_MAX: tries(20, "uses of invitations by one address in RL_INVITE_WINDOW"),
  RL_INVITE_WINDOW: span("15m", "time over which uses of invitations are counted"),
  RL_REFRESH_MAX: tries(30, "token refreshes from one address in RL_REFRESH_WINDOW"),
  RL_REFRESH_WINDOW: span("1m", "time over which token refreshes of an address are counted"),
  RL_REFRESH_FAMILY_MAX: tries(
    6,
    "token refreshes of one device session in RL_REFRESH_FAMILY_WINDOW",
  ),
  RL_REFRESH_FAMILY_WINDOW: span(
    "1m",
    "time over which token refreshes of a device session are counted",
  ),
  RL_SSO_START_MAX: tries(
    30,
    "sign-ins at providers that one address may start in RL_SSO_START_WINDOW",
  ),
  RL_SSO_START_WINDOW: span("1m", "time over which starts of sign-ins at providers are counted"),
  RL_MOBILE_START_MAX: tries(
    10,
    "app sign-ins that one address may start at one provider in RL_MOBILE_START_WINDOW",
  ),
  RL_MOBILE_START_WINDOW: span("1m", "time over which starts of app sign-ins are counted"),
  RL_MOBILE_EXCHANGE_MAX: tries(
    20,
    "app sign-ins that one address may complete in RL_MOBILE_EXCHANGE_WINDOW",
  ),
  RL_MOBILE_EXCHANGE_WINDOW: span("1m", "time over which completed app sign-ins are counted"),
  RL_USER_CHANGE_MAX: tries(
    10,
    "changes of one user to their own account, such as name, password or second factor, in " +
      "RL_USER_CHANGE_WINDOW; ending the other sessions has the same limit and a count of its " +
      "own",
  ),
  RL_USER_CHANGE_WINDOW: span(
    "10m",
    "time over which a user's changes to their own account are counted",
  ),
  RL_EXPORT_MAX: tries(3, "downloads of their own data by one user in RL_EXPORT_WINDOW"),
  RL_EXPORT_WINDOW: span("1d", "time over which a user's downloads of their own data are counted"),
  RL_LINK_CODE_MAX: tries(10, "link codes that one user may try in RL_LINK_CODE_WINDOW"),
  RL_LINK_CODE_WINDOW: span("10m", "time over which the link codes that a user tries are counted"),
  RL_LINK_CODE_IP_MAX: tries(20, "link codes that one address may try in RL_LINK_CODE_IP_WINDOW"),
  RL_LINK_CODE_IP_WINDOW: span(
    "10m",
    "time over which the link codes that an address tries are counted",
  ),
  RL_SURVIVAL_LINK_MAX: tries(
    10,
    "wrong Steam link codes that one user may enter in RL_SURVIVAL_LINK_WINDOW",
  ),
  RL_SURVIVAL_LINK_IP_MAX: tries(
    30,
    "wrong Steam link codes that one address may enter in RL_SURVIVAL_LINK_WINDOW",
  ),
  RL_SURVIVAL_LINK_WINDOW: span("15m", "time over which wrong Steam link codes are counted"),
  RL_GAME_ACCOUNT_MAX: tries(
    3,
    "game accounts that one address may create in RL_GAME_ACCOUNT_WINDOW",
  ),
  RL_GAME_ACCOUNT_WINDOW: span("1d", "time over which the creation of game accounts is counted"),
  RL_GAME_ACCOUNT_TRY_MAX: tries(
    30,
    "attempts of one user to create a game account in RL_GAME_ACCOUNT_TRY_WINDOW",
  ),
  RL_GAME_ACCOUNT_TRY_WINDOW: span(
    "1h",
    "time over which attempts to create a game account are counted",
  ),
  RL_APPEAL_MAX: tries(5, "appeals that one user may open in RL_APPEAL_WINDOW"),
  RL_APPEAL_WINDOW: span("1d", "time over which a user's appeals are counted"),
  RL_APPEAL_MESSAGE_MAX: tries(
    20,
    "messages that one user may write to their appeals in RL_APPEAL_MESSAGE_WINDOW",
  ),
  RL_APPEAL_MESSAGE_WINDOW: span("1h", "time over which a user's messages to appeals are counted"),
  RL_MARKET_MAX: tries(
    60,
    "market searches from one address in RL_MARKET_WINDOW; each web process counts separately",
  ),
  RL_MARKET_WINDOW: span("1m", "time over which market searches are counted"),
  RL_MARKET_SAVE_MAX: tries(60, "market searches that one user may save in RL_MARKET_SAVE_WINDOW"),
  RL_MARKET_SAVE_WINDOW: span("1h", "time over which saved market searches are counted"),
  RL_PUSH_TEST_MAX: tries(
    5,
    "test messages that one user may send to devices in RL_PUSH_TEST_WINDOW",
  ),
  RL_PUSH_TEST_WINDOW: span("1m", "time over which a user's test messages to devices are counted"),
  RL_WEBHOOK_TEST_MAX: tries(
    10,
    "test messages that one user may send to webhooks in RL_WEBHOOK_TEST_WINDOW",
  ),
  RL_WEBHOOK_TEST_WINDOW: span(
    "1m",
    "time over which a user's test messages to webhooks are counted",
  ),
  RL_SEARCH_MAX: tries(
    60,
    "content searches from one address in RL_SEARCH_WINDOW; each web process counts separately",
  ),
  RL_SEARCH_WINDOW: span("1m", "time over which content searches are counted"),
  RL_RANKING_MAX: tries(
    120,
    "rankings that one address may read in RL_RANKING_WINDOW; each web process counts separately",
  ),
  RL_RANKING_WINDOW: span("1m", "time over which reads of rankings are counted"),
  ...botVariables,
} as const;
