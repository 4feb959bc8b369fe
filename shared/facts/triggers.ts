import { eventTriggers } from "./event-triggers.ts";
import { survivalTriggers } from "./survival-triggers.ts";
import { always, sometimes, type Trigger, type Variable } from "./trigger.ts";

interface Named {
  readonly label: string;
  readonly description: string;
}

const shard = (id: string, { label, description }: Named, ...variables: Variable[]): Trigger => ({
  id,
  version: 1,
  label,
  description,
  owner: "shard",
  variables,
});

const altar = [
  always("id", "serial", "The serial of the altar."),
  sometimes("name", "string", "The name of the spawn."),
  sometimes("type", "string", "The kind of champion spawn."),
  sometimes("map", "string", "The facet (world map)."),
];

const outcome: Variable = {
  ...always("outcome", "enum", "How the spawn ended."),
  values: ["defeated", "expired", "stopped"],
};

const city = always("city", "string", "The name of the city.");

const drop = [
  always("itemType", "string", "The type of the item."),
  sometimes("name", "string", "The name of the item."),
  sometimes("from", "string", "What dropped the item."),
];

/** CATALOGUE of the events for which a phase can wait. A module adds its triggers in one line here. */
export const triggers: readonly Trigger[] = [
  shard(
    "champ.start",
    { label: "A champion spawn starts", description: "An altar becomes active." },
    ...altar,
  ),
  shard(
    "champ.boss",
    { label: "A champion appears", description: "A champion spawn reaches its last level." },
    ...altar,
    sometimes("champion", "string", "The name of the champion."),
  ),
  shard(
    "champ.end",
    {
      label: "A champion spawn ends",
      description: "The champion is defeated, or the spawn expires or is stopped.",
    },
    ...altar,
    outcome,
    sometimes("durationSec", "integer", "How many seconds the spawn lasted."),
  ),
  shard(
    "governor.election",
    {
      label: "A city's election moves on",
      description: "The election enters a phase or has a new candidate.",
    },
    city,
    {
      ...always("phase", "enum", "The phase of the election."),
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
    always("serial", "serial", "The serial of the house."),
    always("stage", "string", "The stage of decay, which is always `IDOC`."),
    sometimes("map", "string", "The facet (world map)."),
    sometimes("region", "string", "The name of the region."),
  ),
  shard(
    "creature.kill",
    { label: "A boss or paragon is killed", description: "Other creatures do not count." },
    always("type", "string", "The type of the creature."),
    sometimes("paragon", "boolean", "Whether the creature was a paragon."),
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
    always("text", "text", "The text of the message."),
  ),
  ...survivalTriggers,
  ...eventTriggers,
];

const byId: ReadonlyMap<string, Trigger> = new Map(triggers.map((one) => [one.id, one]));

export const findTrigger = (id: string): Trigger | undefined => byId.get(id);
