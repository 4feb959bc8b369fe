import type { PushStream } from "../../facts/streams.ts";
import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import type { Notice } from "../kinds/notice.ts";

/** Who may know what is told, and how those who want it get a message of it. */
export interface Registration {
  /**
   * `broadcast`: everybody. `presence`: everybody, but names only where everybody may see who is on a
   * server. `personal`: the user it concerns. `staff`: administrators and moderators.
   */
  readonly audience: "broadcast" | "presence" | "personal" | "staff";
  readonly stream?: PushStream;
  /** Whether there is a message of this one. */
  readonly isPushed?: (variables: Notice["variables"]) => boolean;
}

/** CATALOGUE of what is told of survival servers, by its trigger. */
export const registrations: Readonly<Record<SurvivalTriggerId, Registration>> = {
  "survival.server.online": { audience: "broadcast", stream: "survival.server" },
  "survival.server.offline": { audience: "broadcast", stream: "survival.server" },
  "survival.server.wiped": { audience: "broadcast", stream: "survival.wipe" },
  "survival.wipe.upcoming": { audience: "broadcast", stream: "survival.wipe" },
  "survival.leader.kills": { audience: "broadcast", stream: "survival.server" },
  "survival.npc.died": {
    audience: "presence",
    stream: "survival.server",
    isPushed: ({ boss }) => boss === true,
  },
  "survival.npc.health": { audience: "broadcast" },
  "survival.player.died": { audience: "presence" },
  "survival.permission.changed": { audience: "personal", stream: "survival.account" },
  "survival.kit.entitled": { audience: "personal", stream: "survival.account" },
  "survival.plugin.unloaded": { audience: "staff", stream: "survival.staff" },
  "survival.config.outcome": { audience: "staff", stream: "survival.staff" },
  "survival.world.expired": { audience: "staff", stream: "survival.staff" },
};

/** What tells who is on a server. */
export const namesOfPresence = ["victimName", "killerName", "killerSteamId"] as const;
