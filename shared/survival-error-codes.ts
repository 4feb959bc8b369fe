import type { CodeSpec } from "./code-spec.ts";

/** The part of the catalogue of error codes that tells of survival servers. */
export const survivalErrorCodes = {
  config_not_json: {
    kind: "invalid",
    meaning: "No plugin could read the configuration; `line` and `column` say where it breaks.",
  },
  config_unreadable: {
    kind: "conflict",
    meaning: "The file on the game server cannot be shown without its secrets.",
  },
  config_write_state: {
    kind: "conflict",
    meaning: "How the configuration write stands, or another of its file, does not allow this.",
  },
  server_has_wipes: {
    kind: "conflict",
    meaning: "The survival server has worlds, which nobody asked to delete with it.",
  },
  zone_preset_exists: { kind: "conflict", meaning: "Another zone preset has the key." },
  zone_preset_in_use: {
    kind: "conflict",
    meaning: "A step of an event opens zones of the preset: change the event first.",
  },
  helper_missing: {
    kind: "conflict",
    meaning: "The survival server lacks the mod that this needs, or has it not loaded.",
  },
  group_protected: {
    kind: "conflict",
    meaning: "The permission group is one of the game's own.",
  },
  grant_exists: { kind: "conflict", meaning: "The player has the permission, or group, already." },
  grant_ended: { kind: "conflict", meaning: "The grant was taken back, or its time is over." },
  npc_profile_in_use: {
    kind: "conflict",
    meaning: "Placements use the NPC profile, and nobody asked to switch them off.",
  },
  npc_limit_reached: {
    kind: "conflict",
    meaning: "There are as many NPC profiles or placements as may be: delete one.",
  },
  npc_unsupported: {
    kind: "conflict",
    meaning: "The survival server's NPC plugin is missing or too old for profiles and placements.",
  },
} as const satisfies Record<string, CodeSpec>;
