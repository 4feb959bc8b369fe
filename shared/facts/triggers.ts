import { eventTriggers } from "./event-triggers.ts";
import { survivalTriggers } from "./survival-triggers.ts";
import {
  requiredVariable,
  optionalVariable,
  type EventTrigger,
  type TriggerVariable,
} from "./trigger.ts";

interface Named {
  readonly label: string;
  readonly description: string;
}

const shard = (
  id: string,
  { label, description }: Named,
  ...variables: TriggerVariable[]
): EventTrigger => ({
  id,
  version: 1,
  label,
  description,
  owner: "shard",
  variables,
});

const altar = [
  requiredVariable("id", "serial", "The serial of the altar."),
  optionalVariable("name", "string", "The name of the spawn."),
  optionalVariable("type", "string", "The kind of champion spawn."),
  optionalVariable("map", "string", "The facet (world map)."),
];

const outcome: TriggerVariable = {
  ...requiredVariable("outcome", "enum", "How the spawn ended."),
  values: ["defeated", "expired", "stopped"],
};

const city = requiredVariable("city", "string", "The name of the city.");

const drop = [
  requiredVariable("itemType", "string", "The type of the item."),
  optionalVariable("name", "string", "The name of the item."),
  optionalVariable("from", "string", "What dropped the item."),
];

/** CATALOGUE of the events for which a phase can wait. A module adds its triggers in one line here. */
export const triggers: readonly EventTrigger[] = [
  shard(
    "champ.start",
    { label: "A champion spawn starts", description: "An altar becomes active." },
    ...altar,
  ),
  shard(
    "champ.boss",
    { label: "A champion appears", description: "A champion spawn reaches its last level." },
    ...altar,
    optionalVariable("champion", "string", "The name of the champion."),
  ),
  shard(
    "champ.end",
    {
      label: "A champion spawn ends",
      description: "The champion is defeated, or the spawn expires or is stopped.",
    },
    ...altar,
    outcome,
    optionalVariable("durationSec", "integer", "How many seconds the spawn lasted."),
  ),
  shard(
    "governor.election",
    {
      label: "A city's election enters another phase",
      description: "The election enters a phase or has a new candidate.",
    },
    city,
    {
      ...requiredVariable("phase", "enum", "The phase of the election."),
      values: ["nomination", "voting", "ended"],
    },
  ),
  shard(
    "governor.result",
    { label: "A city's election has a result", description: "No variable names the winner." },
    city,
  ),
  shard(
    "house.decay",
    { label: "A house may collapse", description: "A house is at the last stage of decay (IDOC)." },
    requiredVariable("serial", "serial", "The serial of the house."),
    requiredVariable("stage", "string", "The stage of decay, which is always `IDOC`."),
    optionalVariable("map", "string", "The facet (world map)."),
    optionalVariable("region", "string", "The name of the region."),
  ),
  shard(
    "creature.kill",
    { label: "A boss or paragon is killed", description: "Other creatures do not count." },
    requiredVariable("type", "string", "The type of the creature."),
    optionalVariable("paragon", "boolean", "Whether the creature was a paragon."),
  ),
  shard(
    "drop.artifact",
    { label: "An artifact drops", description: "A player receives an artifact." },
    ...drop,
  ),
  shard(
    "drop.scroll",
    { label: "A scroll drops", description: "A player receives a power scroll." },
    ...drop,
  ),
  shard("server.started", {
    label: "The shard starts",
    description: "The game server has started.",
  }),
  shard(
    "world.broadcast",
    {
      label: "A broadcast",
      description: "A message to all players. Messages to staff do not count.",
    },
    requiredVariable("text", "text", "The text of the message."),
  ),
  ...survivalTriggers,
  ...eventTriggers,
];

const byId: ReadonlyMap<string, EventTrigger> = new Map(triggers.map((one) => [one.id, one]));

export const findTrigger = (id: string): EventTrigger | undefined => byId.get(id);
