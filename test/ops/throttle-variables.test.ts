import { describe, expect, it } from "vitest";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { testEnvironment } from "../support/service/server.ts";

const key = `k:${Buffer.alloc(32, 7).toString("base64")}`;

const production = (extra: NodeJS.ProcessEnv) => () =>
  loadConfig({
    NODE_ENV: "production",
    DATABASE_URL: "postgres://db/site",
    PUBLIC_BASE_URL: "https://play.example",
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    VAPID_KEY: Buffer.alloc(32, 7).toString("base64url"),
    ...extra,
  });

describe("limits in production", () => {
  it("have valid defaults", () => {
    expect(production({})()).toMatchObject({
      RL_SITE_TIMES: 4,
      RL_NETWORK_TIMES: 16,
      RL_LOGIN_FAILED_MAX: 10,
      RL_LOGIN_TOTAL_MAX: 30,
      RL_LOGIN_PAIR_MAX: 8,
      RL_LOGIN_SLOW_AFTER: 3,
      RL_LOGIN_SLOW: 250,
      RL_LOGIN_SLOW_LONGEST: 4_000,
      RL_LOGIN_USER_MAX: 50,
      RL_LOGIN_USER_WINDOW: 3_600_000,
      RL_LOGIN_USER_SLOW: 1_000,
      RL_LOGIN_CROWDED: 1_000,
      RL_LOGIN_WAITING: 200,
      RL_LOGIN_WINDOW: 900_000,
      RL_LOGIN_BLOCK: 900_000,
      RL_LOGIN_BLOCK_LONGEST: 86_400_000,
      RL_REGISTER_WINDOW: 3_600_000,
      RL_FORGOT_WINDOW: 900_000,
      RL_RESET_MAIL_WINDOW: 3_600_000,
      RL_RESET_WINDOW: 900_000,
      RL_INVITE_WINDOW: 900_000,
      RL_REFRESH_WINDOW: 60_000,
      RL_REFRESH_FAMILY_WINDOW: 60_000,
      RL_MOBILE_START_WINDOW: 60_000,
      RL_MOBILE_EXCHANGE_WINDOW: 60_000,
      RL_USER_CHANGE_WINDOW: 600_000,
      RL_EXPORT_MAX: 3,
      RL_EXPORT_WINDOW: 86_400_000,
      RL_LINK_CODE_WINDOW: 600_000,
      RL_LINK_CODE_IP_WINDOW: 600_000,
      RL_GAME_ACCOUNT_WINDOW: 86_400_000,
      RL_GAME_ACCOUNT_TRY_WINDOW: 3_600_000,
      RL_MARKET_MAX: 60,
      RL_MARKET_WINDOW: 60_000,
      RL_RANKING_MAX: 120,
      RL_RANKING_WINDOW: 60_000,
      BOT_SCORE_JUNK: 4,
      BOT_SCORE_HONEYPOT: 10,
      BOT_SCORE_CREDENTIALS: 1,
      BOT_SCORE_FACTOR: 1,
      BOT_SCORE_TOKEN: 1,
      BOT_SCORE_MALFORMED: 0.5,
      BOT_BAN_SCORE: 15,
      BOT_BAN: 900_000,
      BOT_BAN_LONGEST: 86_400_000,
      BOT_BAN_RECHECK: 2_000,
      BOT_HALF_LIFE: 600_000,
      CHALLENGE_TRIES: 5,
      TOTP_LOCK_AFTER: 10,
      TOTP_LOCK: 900_000,
      TOTP_LOCK_LONGEST: 86_400_000,
      TOTP_SETUP_TTL: 600_000,
      REAUTH_AFTER: 600_000,
      TRUST_DEVICE_MAX: 10,
      REFRESH_TTL: 2_592_000_000,
      REFRESH_FAMILY_TTL: 15_552_000_000,
      RESET_TTL: 3_600_000,
      INVITE_TTL: 604_800_000,
      SMTP_URL: undefined,
    });
  });

  it.each([
    ["RL_LOGIN_FAILED_MAX", "100000"],
    ["RL_LOGIN_TOTAL_MAX", "100000"],
    ["RL_LOGIN_PAIR_MAX", "100000"],
    ["RL_SITE_TIMES", "1"],
    ["RL_NETWORK_TIMES", "1"],
    ["RL_LOGIN_WINDOW", "2s"],
    ["RL_LOGIN_BLOCK", "2s"],
    ["RL_LOGIN_SLOW", "1ms"],
    ["RL_FORGOT_WINDOW", "2s"],
    ["TOTP_LOCK", "2s"],
    ["REFRESH_TTL", "2s"],
    ["REAUTH_AFTER", "2s"],
    ["RL_RESET_MAX", "100000"],
    ["BOT_BAN_SCORE", "1"],
    ["BOT_BAN_SCORE", "100000"],
    ["BOT_BAN", "2s"],
    ["BOT_HALF_LIFE", "2s"],
    ["MAIL_RETRY", "1s"],
    ["RESET_TTL", "1s"],
    ["INVITE_TTL", "1s"],
  ])("cannot have values meant for tests: %s=%s", (name, value) => {
    expect(production({ [name]: value })).toThrow(new RegExp(`${name}: .* in production`));
    const lenient = loadConfig({ ...testEnvironment("postgres://db/site"), [name]: value });
    expect(lenient).toHaveProperty(name);
  });

  it.each([
    ["RL_LOGIN_FAILED_MAX", "0"],
    ["RL_LOGIN_FAILED_MAX", "many"],
    // Zero is refused: a limit of zero makes no sense, a count over zero seconds never expires, and
    // a score cannot halve in zero seconds.
    ["RL_SITE_TIMES", "0"],
    ["RL_NETWORK_TIMES", "1001"],
    ["RL_FORGOT_WINDOW", "0s"],
    ["RL_FORGOT_WINDOW", "31d"],
    ["BOT_HALF_LIFE", "0s"],
    ["RL_LOGIN_SLOW", "2m"],
    ["BOT_SCORE_JUNK", "-1"],
    ["BOT_BAN_RECHECK", "2m"],
    ["CHALLENGE_TRIES", "0"],
    ["CHALLENGE_TRIES", "101"],
    ["TRUST_DEVICE_MAX", "1000"],
    ["REFRESH_FAMILY_TTL", "9999d"],
    ["SMTP_URL", "https://mail.example"],
    ["MAIL_RETRY", "soon"],
  ])("are rejected if their values are malformed or out of range: %s=%s", (name, value) => {
    expect(production({ [name]: value })).toThrow(name);
  });
});
