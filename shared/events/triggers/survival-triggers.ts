import { always, sometimes, type Trigger, type Variable } from "./trigger.ts";

interface Described {
  readonly label: string;
  readonly description: string;
}

const survival = <Id extends string>(
  id: `survival.${Id}`,
  { label, description }: Described,
  ...variables: Variable[]
) =>
  ({ id, version: 1, label, description, owner: "survival", variables }) as const satisfies Trigger;

const server = [
  always("serverId", "integer", "The id of the server."),
  always("serverName", "string", "What the server is called."),
];

const state: Variable = {
  ...always("state", "enum", "How it stands now."),
  values: ["online", "offline"],
};
const connect = sometimes("connect", "string", "Where players connect to.");
const mapUrl = always("mapUrl", "string", "The path of its map in the API.");
const news = always("news", "string", "What happened, as a sentence.");

const grid = sometimes("grid", "string", "The square of the map.");
const runId = sometimes("runId", "integer", "The run that it belongs to.");
const profile = always("profile", "string", "The profile of the NPC.");

/** Who is on a server is told only where everybody may see it. */
const person = (name: string, description: string): Variable =>
  sometimes(name, "string", `${description} Untold where not everybody may see who is there.`);

/**
 * What happens on survival servers. Of what concerns one user, or staff alone, a phase is told neither
 * who nor what was written: everybody may come to read the variables.
 */
export const survivalTriggers = [
  survival(
    "survival.server.online",
    { label: "A server is online", description: "It is back, for longer than a moment." },
    ...server,
    state,
    connect,
    sometimes("players", "integer", "How many play."),
    sometimes("downSec", "integer", "How many seconds it was away."),
  ),
  survival(
    "survival.server.offline",
    { label: "A server is offline", description: "It is gone, for longer than a moment." },
    ...server,
    state,
    connect,
    sometimes("lastSeenAt", "datetime", "When it was seen last."),
    {
      ...always("reason", "enum", "Whether the link is down, or the game."),
      values: ["link", "game"],
    },
  ),
  survival(
    "survival.server.wiped",
    { label: "A server is wiped", description: "A new world stands; a restored one is none." },
    ...server,
    mapUrl,
    always("wipeId", "integer", "The id of the wipe."),
    {
      ...always("kind", "enum", "Whether blueprints went too."),
      values: ["map", "full", "unknown"],
    },
    always("forced", "boolean", "Whether the game's update forced it."),
    sometimes("worldSize", "integer", "The size of the world."),
    sometimes("seed", "string", "The seed of the world, where the site shows it."),
    sometimes("nextWipe", "datetime", "When the next one is due."),
  ),
  survival(
    "survival.wipe.upcoming",
    { label: "A wipe is near", description: "A day before it, and an hour." },
    ...server,
    mapUrl,
    always("nextWipe", "datetime", "When it is due."),
    always("hoursLeft", "integer", "24 or 1."),
    always("rule", "string", "What says so."),
  ),
  survival(
    "survival.leader.kills",
    { label: "Somebody leads in kills", description: "By more than all others; a tie is no lead." },
    ...server,
    news,
    always("steamId", "string", "The Steam id of the leader."),
    always("playerName", "string", "What the leader is called."),
    always("kills", "integer", "Players killed in this world."),
    sometimes("previousName", "string", "Who led before."),
  ),
  survival(
    "survival.npc.died",
    { label: "An NPC dies", description: "One that a profile of the site made." },
    ...server,
    news,
    profile,
    sometimes("name", "string", "What the NPC is called."),
    always("boss", "boolean", "Whether it was a boss."),
    person("killerName", "Who killed it."),
    person("killerSteamId", "The Steam id of who killed it."),
    grid,
    sometimes("alive", "integer", "How many of its placement are left."),
    runId,
  ),
  survival(
    "survival.npc.health",
    { label: "An NPC weakens", description: "Its health falls below a step." },
    ...server,
    profile,
    sometimes("placement", "string", "Where it was placed."),
    always("percent", "number", "The health that is left."),
    always("step", "integer", "The step, in percent."),
    runId,
  ),
  survival(
    "survival.player.died",
    { label: "A player dies", description: "However it happened." },
    ...server,
    news,
    person("victimName", "Who died."),
    person("killerName", "The player or NPC that killed them."),
    {
      ...always("killerKind", "enum", "What killed them."),
      values: ["player", "npc", "animal", "entity", "self", "environment"],
    },
    sometimes("weapon", "string", "With what."),
    sometimes("distance", "number", "From how far, in metres."),
  ),
  survival(
    "survival.permission.changed",
    { label: "A permission changes", description: "A grant of somebody." },
    news,
    always("kind", "string", "A permission, or the membership of a group."),
    {
      ...always("change", "enum", "What became of it."),
      values: ["granted", "revoked", "expired", "live"],
    },
    {
      ...always("servers", "string", "What the servers are called on which it counts."),
      list: true,
    },
    sometimes("expiresAt", "datetime", "When it ends."),
  ),
  survival(
    "survival.kit.entitled",
    { label: "Somebody may have a kit", description: "An entitlement was made." },
    ...server,
    news,
    always("kit", "string", "The kit."),
    always("uses", "integer", "How many times."),
    sometimes("expiresAt", "datetime", "When it ends."),
    runId,
  ),
  survival(
    "survival.plugin.unloaded",
    { label: "A plugin is unloaded", description: "The game runs without it." },
    ...server,
    always("plugin", "string", "The plugin."),
    sometimes("version", "string", "Its version."),
    always("helper", "boolean", "Whether the site makes use of it."),
  ),
  survival(
    "survival.config.outcome",
    { label: "A configuration is settled", description: "A write came to its end, or was lost." },
    ...server,
    always("writeId", "string", "The write."),
    always("plugin", "string", "Whose configuration it is."),
    {
      ...always("outcome", "enum", "How it ended."),
      values: ["ok", "failed", "rolled-back", "lost"],
    },
  ),
  survival(
    "survival.world.expired",
    { label: "A change in the world ends", description: "By itself: the site did not end it." },
    ...server,
    always("what", "string", "What it was."),
    always("ref", "string", "What it is known by."),
    always("reason", "string", "Why it ended."),
    runId,
  ),
];

export type SurvivalTriggerId = (typeof survivalTriggers)[number]["id"];
