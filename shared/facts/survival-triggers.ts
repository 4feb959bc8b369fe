import {
  requiredVariable,
  optionalVariable,
  type EventTrigger,
  type TriggerVariable,
} from "./trigger.ts";

interface Described {
  readonly label: string;
  readonly description: string;
}

const survival = <Id extends string>(
  id: `survival.${Id}`,
  { label, description }: Described,
  ...variables: TriggerVariable[]
) =>
  ({
    id,
    version: 1,
    label,
    description,
    owner: "survival",
    variables,
  }) as const satisfies EventTrigger;

const server = [
  requiredVariable("serverId", "integer", "The id of the server."),
  requiredVariable("serverName", "string", "The name of the server."),
];

const state: TriggerVariable = {
  ...requiredVariable("state", "enum", "The state of the server now."),
  values: ["online", "offline"],
};
const connect = optionalVariable("connect", "string", "The address that players connect to.");
const mapUrl = requiredVariable("mapUrl", "string", "The path of the server's map in the API.");
const news = requiredVariable("news", "string", "A sentence that says what happened.");

const grid = optionalVariable("grid", "string", "The grid square of the map.");
const runId = optionalVariable("runId", "integer", "The id of the run that it belongs to.");
const profile = requiredVariable("profile", "string", "The key of the NPC's profile.");

/** A player's name, which is public only if everybody may see who is on a server. */
const person = (name: string, description: string): TriggerVariable =>
  optionalVariable(
    name,
    "string",
    `${description} Absent unless everyone may see who is on a server.`,
  );

/** Triggers that concern one user or only staff contain no user and no text, because variables are public. */
export const survivalTriggers = [
  survival(
    "survival.server.online",
    {
      label: "A server comes online",
      description:
        "The server is back and stays online for a while. A short return does not count.",
    },
    ...server,
    state,
    connect,
    optionalVariable("players", "integer", "How many players are online."),
    optionalVariable("downSec", "integer", "How many seconds the server was away."),
  ),
  survival(
    "survival.server.offline",
    {
      label: "A server goes offline",
      description: "The server stays offline for a while. A short interruption does not count.",
    },
    ...server,
    state,
    connect,
    optionalVariable("lastSeenAt", "datetime", "When the server was last seen."),
    {
      ...requiredVariable("reason", "enum", "What is down: the link to the server, or the game."),
      values: ["link", "game"],
    },
  ),
  survival(
    "survival.server.wiped",
    {
      label: "A server is wiped",
      description: "The server has a new world. A restored old world does not count.",
    },
    ...server,
    mapUrl,
    requiredVariable("wipeId", "integer", "The id of the wipe."),
    {
      ...requiredVariable(
        "kind",
        "enum",
        "What was wiped: `map`, or `full` for the map and blueprints.",
      ),
      values: ["map", "full", "unknown"],
    },
    requiredVariable("forced", "boolean", "Whether an update of the game forced the wipe."),
    optionalVariable("worldSize", "integer", "The size of the new world."),
    optionalVariable("seed", "string", "The seed of the new world, if the site shows it."),
    optionalVariable("nextWipe", "datetime", "When the next wipe is due."),
  ),
  survival(
    "survival.wipe.upcoming",
    { label: "A wipe is near", description: "The next wipe is in 24 hours or in 1 hour." },
    ...server,
    mapUrl,
    requiredVariable("nextWipe", "datetime", "When the wipe is due."),
    requiredVariable("hoursLeft", "integer", "How many hours are left: 24 or 1."),
    requiredVariable(
      "rule",
      "string",
      "The rule of the wipe schedule, such as `weekly` or `cron`.",
    ),
  ),
  survival(
    "survival.leader.kills",
    {
      label: "A new kill leader",
      description:
        "A player now has more kills than all others in this world. A tie does not count.",
    },
    ...server,
    news,
    requiredVariable("steamId", "string", "The Steam id of the leader."),
    requiredVariable("playerName", "string", "The name of the leader."),
    requiredVariable("kills", "integer", "How many players the leader has killed in this world."),
    optionalVariable("previousName", "string", "The name of the previous leader."),
  ),
  survival(
    "survival.npc.died",
    { label: "An NPC dies", description: "Only NPCs from a profile of the site count." },
    ...server,
    news,
    profile,
    optionalVariable("name", "string", "The name of the NPC."),
    requiredVariable("boss", "boolean", "Whether the NPC was a boss."),
    person("killerName", "The name of the player who killed it."),
    person("killerSteamId", "The Steam id of the player who killed it."),
    grid,
    optionalVariable("alive", "integer", "How many NPCs of its placement are still alive."),
    runId,
  ),
  survival(
    "survival.npc.health",
    { label: "An NPC loses health", description: "The health falls below a threshold." },
    ...server,
    profile,
    optionalVariable("placement", "string", "The name of its placement."),
    requiredVariable("percent", "number", "The health that is left, in percent."),
    requiredVariable("step", "integer", "The threshold, in percent."),
    runId,
  ),
  survival(
    "survival.player.died",
    { label: "A player dies", description: "Every cause of death counts." },
    ...server,
    news,
    person("victimName", "The name of the player who died."),
    person("killerName", "The name of the player or NPC that killed the player."),
    {
      ...requiredVariable("killerKind", "enum", "What killed the player."),
      values: ["player", "npc", "animal", "entity", "self", "environment"],
    },
    optionalVariable("weapon", "string", "The weapon of the killer."),
    optionalVariable("distance", "number", "How far away the killer was, in meters."),
  ),
  survival(
    "survival.permission.changed",
    {
      label: "A permission changes",
      description: "A grant to a player changes. No variable identifies the player.",
    },
    news,
    requiredVariable(
      "kind",
      "string",
      "What was granted: a `permission`, or the `membership` of a group.",
    ),
    {
      ...requiredVariable(
        "change",
        "enum",
        "What happened to the grant. `live`: the game has it now.",
      ),
      values: ["granted", "revoked", "expired", "live"],
    },
    {
      ...requiredVariable(
        "servers",
        "string",
        "The names of the servers on which the grant counts.",
      ),
      list: true,
    },
    optionalVariable("expiresAt", "datetime", "When the grant ends."),
  ),
  survival(
    "survival.kit.entitled",
    { label: "A player is given a kit", description: "No variable identifies the player." },
    ...server,
    news,
    requiredVariable("kit", "string", "The name of the kit."),
    requiredVariable("uses", "integer", "How often the player may take the kit."),
    optionalVariable("expiresAt", "datetime", "Until when the player may take the kit."),
    runId,
  ),
  survival(
    "survival.plugin.unloaded",
    { label: "A plugin is unloaded", description: "The game runs without the plugin now." },
    ...server,
    requiredVariable("plugin", "string", "The name of the plugin."),
    optionalVariable("version", "string", "The version of the plugin."),
    requiredVariable("helper", "boolean", "Whether the site uses the plugin."),
  ),
  survival(
    "survival.config.outcome",
    {
      label: "A configuration change ends",
      description: "Writing a plugin's configuration to a server succeeds, fails or is lost.",
    },
    ...server,
    requiredVariable("writeId", "string", "The id of the write."),
    requiredVariable("plugin", "string", "The name of the plugin."),
    {
      ...requiredVariable(
        "outcome",
        "enum",
        "How it ended. `rolled-back`: the old file is back; `lost`: no outcome was reported.",
      ),
      values: ["ok", "failed", "rolled-back", "lost"],
    },
  ),
  survival(
    "survival.player.reported",
    {
      label: "A player sends a report",
      description: "No variable identifies a player or contains a text of the report.",
    },
    ...server,
    requiredVariable("aboutPlayer", "boolean", "Whether the report is about another player."),
  ),
  survival(
    "survival.world.expired",
    {
      label: "A change in the world ends",
      description:
        "Something that the site created in the game, such as a zone, ends without a command of " +
        "the site.",
    },
    ...server,
    requiredVariable("what", "string", "What ended, such as `zone`, `npc` or `kit`."),
    requiredVariable("ref", "string", "The id or name of what ended."),
    requiredVariable("reason", "string", "Why it ended, such as `timeout` or `wipe`."),
    runId,
  ),
];

export type SurvivalTriggerId = (typeof survivalTriggers)[number]["id"];
