import type { PushStream } from "../../facts/streams.ts";
import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";

/** The audience of a notice, and the stream for its subscribers. */
export interface NotificationRoute {
  /**
   * `broadcast`: everybody. `presence`: everybody, but with names only if everybody may see who is
   * online. `personal`: the user concerned. `staff`: administrators and moderators.
   */
  readonly audience: "broadcast" | "presence" | "personal" | "staff";
  readonly stream?: PushStream;
  /** The daily limit of the notice's messages; by default the limit of the audience. */
  readonly dayBound?: "reportPushes";
  /** Returns true if subscribers get the notice. Without this function, they get every notice. */
  readonly isPushed?: (variables: SurvivalNotification["variables"]) => boolean;
}

/** CATALOGUE of notices of survival servers, by trigger. */
export const notificationRoutes: Readonly<Record<SurvivalTriggerId, NotificationRoute>> = {
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
  "survival.player.reported": {
    audience: "staff",
    stream: "survival.report",
    dayBound: "reportPushes",
  },
  "survival.world.expired": { audience: "staff", stream: "survival.staff" },
};

/** Variables that reveal which players are online. */
export const presenceVariables = ["victimName", "killerName", "killerSteamId"] as const;
