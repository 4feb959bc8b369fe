import type { ErrorCodeSpec } from "./error-kinds.ts";

export const survivalErrorCodes = {
  config_not_json: {
    kind: "invalid",
    meaning:
      "The configuration in the request is not valid JSON. `line` and `column` give the position " +
      "of the fault.",
  },
  config_unreadable: {
    kind: "conflict",
    meaning:
      "The file on the game server is too large, not UTF-8, not JSON or contains a key twice.",
  },
  config_write_state: {
    kind: "conflict",
    meaning:
      "Another write of the file is pending, or the state of the write does not allow the " +
      "operation.",
  },
  server_has_wipes: {
    kind: "conflict",
    meaning:
      "The site has stored worlds of the survival server. Send `purge=true` to delete the " +
      "worlds, too.",
  },
  report_key_unknown: {
    kind: "unauthenticated",
    meaning:
      "The address to which the game sent a report contains no valid report key: create a new " +
      "key on the site and type the lines that the site returns in the console of the game server.",
  },
  report_closed: {
    kind: "conflict",
    meaning: "The report is already closed.",
  },
  report_open: {
    kind: "conflict",
    meaning: "The report is not closed, so it cannot be reopened.",
  },
  zone_preset_exists: { kind: "conflict", meaning: "Another zone preset has this key." },
  zone_preset_in_use: {
    kind: "conflict",
    meaning: "A step of an event uses the zone preset: change the event first.",
  },
  player_already_banned: {
    kind: "conflict",
    meaning: "The player is already banned from the survival server: unban the player first.",
  },
  helper_missing: {
    kind: "conflict",
    meaning: "The survival server has not loaded the mod that the operation requires.",
  },
  group_protected: {
    kind: "conflict",
    meaning: "The permission group belongs to the game and can be neither renamed nor deleted.",
  },
  grant_exists: {
    kind: "conflict",
    meaning:
      "The player already has a grant of the permission or group: change the existing grant.",
  },
  grant_ended: {
    kind: "conflict",
    meaning: "The grant has expired or was revoked: create a new grant.",
  },
  npc_profile_in_use: {
    kind: "conflict",
    meaning:
      "Placements use the NPC profile. With `force=true`, the request deletes the profile and " +
      "disables the placements.",
  },
  npc_limit_reached: {
    kind: "conflict",
    meaning: "The maximum number of NPC profiles or placements exists: delete one first.",
  },
  npc_unsupported: {
    kind: "conflict",
    meaning: "The survival server's NPC plugin is missing or too old for profiles and placements.",
  },
} as const satisfies Record<string, ErrorCodeSpec>;
