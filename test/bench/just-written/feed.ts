import { createSurvivalSource } from "../../../shared/survival/ingest/survival-source.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";
import { buildSurvivalServer } from "../../support/factories/survival.ts";
import { type BurstEvent, buildHello, buildKill, steamIdOf, storeBurst } from "./burst.ts";
import { type DomainWriter, pathOf } from "./site.ts";

const events = { full: 30_000, short: 3_000 } as const;
const players = 300;

/** Stores the events that a survival server has buffered while the site was away. */
export const writeFeed: DomainWriter = async (site) => {
  const { context, client, isShort } = site;
  const { id } = await buildSurvivalServer(site);
  // Everybody may see who is online, so that visitors read all kinds of events.
  await context.models.SurvivalVisibility.update(
    { override: { presence: "anonymous" } },
    { where: {} },
  );
  const source = createSurvivalSource(id, context);
  await storeBurst(feedEvents(isShort ? events.short : events.full), source, site);
  const { rows } = await client.query<{ first: string; last: string }>(
    "select min(id) as first, max(id) as last from survival_events where server_id = $1",
    [id],
  );
  const [first = 0, last = 0] = [rows[0]?.first, rows[0]?.last].map(Number);
  const route = `survival/servers/${id}/feed`;
  return {
    "all kinds": (random) => pathOf(route, { before: random.int(first, last) }),
    "one kind": (random) =>
      pathOf(route, { before: random.int(first, last), kinds: random.pick(kinds) }),
  };
};

const kinds = ["player.died", "player.chat", "survival.npc.died"] as const;

function* feedEvents(count: number): Generator<BurstEvent> {
  const random = createRandom("feed");
  yield buildHello(Date.now());
  for (let event = 0; event < count; event++) yield buildEvent(event, random);
}

function buildEvent(event: number, random: RandomSource): BurstEvent {
  if (random.chance(0.1)) return buildKill(event, random, players);
  if (random.chance(0.4)) {
    const payload = { ...drawPlayer(random), channel: "global", message: `Message ${event}` };
    return { kind: "player.chat", payload };
  }
  const killer = { kind: "player", ...drawPlayer(random) };
  const payload = { victim: drawPlayer(random), killer, weapon: "rifle.ak", distance: 82.5 };
  return { kind: "player.died", payload };
}

function drawPlayer(random: RandomSource): object {
  const player = random.int(0, players - 1);
  return { steamId: steamIdOf(player), name: `Player ${player}` };
}
