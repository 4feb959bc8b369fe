import { describe, expect, it } from "@jest/globals";

import { loadConfig } from "../../shared/config/config.ts";
import { testEnvironment } from "../support/server.ts";

const key = `k:${Buffer.alloc(32, 7).toString("base64")}`;

const production = (extra: NodeJS.ProcessEnv) => () =>
  loadConfig({
    NODE_ENV: "production",
    DATABASE_URL: "postgres://db/site",
    PUBLIC_BASE_URL: "https://play.example",
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    ...extra,
  });

describe("limits in production", () => {
  it("may be left as they are", () => {
    expect(production({})()).toMatchObject({
      RL_LOGIN_FAILED_MAX: 10,
      RL_LOGIN_TOTAL_MAX: 30,
      RL_LOGIN_PAIR_MAX: 8,
      RL_LOGIN_SLOW_AFTER: 3,
      RL_LOGIN_WINDOW: 900_000,
      RL_LOGIN_BLOCK: 900_000,
      RL_MARKET_MAX: 60,
      BOT_BAN_SCORE: 15,
      BOT_BAN: 900_000,
      BOT_HALF_LIFE: 600_000,
      RESET_TTL: 3_600_000,
      INVITE_TTL: 604_800_000,
      SMTP_URL: undefined,
    });
  });

  it.each([
    ["RL_LOGIN_FAILED_MAX", "100000"],
    ["RL_LOGIN_TOTAL_MAX", "100000"],
    ["RL_LOGIN_PAIR_MAX", "100000"],
    ["RL_LOGIN_WINDOW", "2s"],
    ["RL_LOGIN_BLOCK", "2s"],
    ["RL_RESET_MAX", "100000"],
    ["BOT_BAN_SCORE", "1"],
    ["BOT_BAN_SCORE", "100000"],
    ["BOT_BAN", "2s"],
    ["BOT_HALF_LIFE", "2s"],
    ["MAIL_RETRY", "1s"],
    ["RESET_TTL", "1s"],
    ["INVITE_TTL", "1s"],
  ])("cannot be the tests' own: %s=%s", (name, value) => {
    expect(production({ [name]: value })).toThrow(new RegExp(`${name}: .* in production`));
    const lenient = loadConfig({ ...testEnvironment("postgres://db/site"), [name]: value });
    expect(lenient).toHaveProperty(name);
  });

  it.each([
    ["RL_LOGIN_FAILED_MAX", "0"],
    ["RL_LOGIN_FAILED_MAX", "many"],
    ["SMTP_URL", "https://mail.example"],
    ["MAIL_RETRY", "soon"],
  ])("are refused when they make no sense: %s=%s", (name, value) => {
    expect(production({ [name]: value })).toThrow(name);
  });
});
