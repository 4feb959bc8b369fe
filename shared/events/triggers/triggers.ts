import type { KindName } from "../../shard/kinds/kinds.ts";
import { eventTriggers } from "./event-triggers.ts";
import { survivalTriggers } from "./survival-triggers.ts";
import { always, sometimes, type Trigger, type Variable } from "./trigger.ts";

interface Named {
  readonly label: string;
  readonly description: string;
}

const shard = (id: KindName, { label, description }: Named, ...variables: Variable[]): Trigger => ({
  id,
  version: 1,
  label,
  description,
  owner: "shard",
  variables,
});

const altar = [
  always("id", "serial", "The serial of the altar."),
  sometimes("name", "string", "What the altar is called."),
  sometimes("type", "string", "The kind of champion spawn."),
  sometimes("map", "string", "The facet."),
];

const outcome: Variable = {
  ...always("outcome", "enum", "How it ended."),
  values: ["defeated", "expired", "stopped"],
};

const city = always("city", "string", "The city.");

const drop = [
  always("itemType", "string", "The type of the item."),
  sometimes("name", "string", "What the item is called."),
  sometimes("from", "string", "What dropped it."),
];

/** CATALOGUE of what a phase can wait for; a module adds its triggers by one line here. */
export const triggers: readonly Trigger[] = [
  shard(
    "champ.start",
    { label: "A champion spawn starts", description: "An altar was started." },
    ...altar,
  ),
  shard(
    "champ.boss",
    { label: "A champion appears", description: "The last level is reached." },
    ...altar,
    sometimes("champion", "string", "What the champion is called."),
  ),
  shard(
    "champ.end",
    { label: "A champion spawn ends", description: "Defeated, expired or stopped." },
    ...altar,
    outcome,
    sometimes("durationSec", "integer", "How many seconds it took."),
  ),
  shard(
    "governor.election",
    { label: "A city votes", description: "An election moves on." },
    city,
    {
      ...always("phase", "enum", "How far the election is."),
      values: ["nomination", "voting", "ended"],
    },
  ),
  shard("governor.result", { label: "A city has a governor", description: "Who won." }, city),
  shard(
    "house.decay",
    { label: "A house decays", description: "A house in danger of collapsing." },
    always("serial", "serial", "The serial of the house."),
    always("stage", "string", "The stage of decay it is at now."),
    sometimes("map", "string", "The facet."),
    sometimes("region", "string", "The region."),
  ),
  shard(
    "creature.kill",
    { label: "A boss or paragon is killed", description: "Of bosses and paragons alone." },
    always("type", "string", "The type of the creature."),
    sometimes("paragon", "boolean", "Whether it was a paragon."),
  ),
  shard(
    "drop.artifact",
    { label: "An artifact drops", description: "A player was given an artifact." },
    ...drop,
  ),
  shard(
    "drop.scroll",
    { label: "A scroll drops", description: "A player was given a power scroll." },
    ...drop,
  ),
  shard("server.started", { label: "The shard starts", description: "The game is up again." }),
  shard(
    "world.broadcast",
    { label: "A broadcast", description: "What all players read." },
    always("text", "text", "What was said."),
  ),
  ...survivalTriggers,
  ...eventTriggers,
];

const byId: ReadonlyMap<string, Trigger> = new Map(triggers.map((one) => [one.id, one]));

export const findTrigger = (id: string): Trigger | undefined => byId.get(id);
