/** Limits so high that no test reaches them, for tests of other subjects. */
export const unlimited: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "RL_LOGIN_FAILED_MAX",
    "RL_LOGIN_TOTAL_MAX",
    "RL_LOGIN_PAIR_MAX",
    "RL_LOGIN_SLOW_AFTER",
    "RL_USER_CHANGE_MAX",
    "RL_REGISTER_MAX",
    "RL_REFRESH_MAX",
    "RL_REFRESH_FAMILY_MAX",
    "BOT_BAN_SCORE",
  ].map((name) => [name, "100000"]),
);
