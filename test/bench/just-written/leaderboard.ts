import { formatSerial } from "../../../shared/platform/bridge/serial.ts";
import { createShardSource } from "../../../shared/shard/ingest/shard-source.ts";
import { createSurvivalSource } from "../../../shared/survival/ingest/survival-source.ts";
import { countedStats, statNames } from "../../../shared/survival/kinds/stat-names.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";
import { buildSurvivalServer } from "../../support/factories/survival.ts";
import { type BurstEvent, buildHello, buildKill, steamIdOf, storeBurst } from "./burst.ts";
import { type DomainWriter, type PathDrawer, pathOf } from "./site.ts";

interface BoardSize {
  /** The number of points boards. No shard has as many, but the site caches an answer for half a second. */
  readonly boards: number;
  readonly players: number;
  readonly kills: number;
}

const full: BoardSize = { boards: 1_600, players: 5_000, kills: 3_000 };
const short: BoardSize = { boards: 300, players: 400, kills: 300 };

const ranksPerBoard = 20;
const boardsPerPage = 100;
const talliesPerFrame = 100;
const dayMs = 86_400_000;

/** Stores the points boards of a shard, and the scores of a survival server with two worlds. */
export const writeLeaderboard: DomainWriter = async (site) => {
  const size = site.isShort ? short : full;
  const { id } = await buildSurvivalServer(site);
  await storeBurst(boardEvents(size), createShardSource(site.context), site);
  await storeBurst(scoreEvents(size), createSurvivalSource(id, site.context), site);
  return {
    "a points board": (random) => pathOf(`shard/points/Board${random.int(1, size.boards)}`),
    "a stat of a world": drawRanking(id, "current", size),
    "a stat of all worlds": drawRanking(id, "all", size),
    "a player in a world": (random) =>
      pathOf(drawPlayer(random, size), { server: id, wipe: "current" }),
    "a player in all worlds": (random) => pathOf(drawPlayer(random, size)),
    "the kills of a player": (random) =>
      pathOf(`${drawPlayer(random, size)}/profiles`, { server: id, wipe: "current" }),
  };
};

const drawPlayer = (random: RandomSource, { players }: BoardSize): string =>
  `survival/players/${steamIdOf(random.int(0, players - 1))}`;

const drawRanking =
  (serverId: number, wipe: "current" | "all", { players }: BoardSize): PathDrawer =>
  (random) =>
    pathOf(`survival/servers/${serverId}/leaderboard`, {
      stat: random.pick(statNames),
      wipe,
      limit: random.int(10, 50),
      offset: random.int(0, players / 2),
    });

function* boardEvents({ boards }: BoardSize): Generator<BurstEvent> {
  const random = createRandom("boards");
  const snapshotId = "boards";
  const pages = Math.ceil(boards / boardsPerPage);
  yield { kind: "points.snapshot.begin", payload: { snapshotId, pages, count: boards } };
  for (let page = 1; page <= pages; page++) {
    const rows = Array.from({ length: boardsPerPage }, (_, at) =>
      buildBoard((page - 1) * boardsPerPage + at + 1, random),
    );
    yield { kind: "points.snapshot.page", payload: { snapshotId, page, rows } };
  }
  yield { kind: "points.snapshot.end", payload: { snapshotId } };
}

const buildBoard = (number: number, random: RandomSource): object => ({
  system: `Board${number}`,
  nameString: `Board ${number}`,
  nameNumber: 0,
  maxPoints: null,
  players: 500,
  showOnGump: true,
  top: Array.from({ length: ranksPerBoard }, (_, at) => ({
    rank: at + 1,
    serial: formatSerial(random.int(1, 100_000)),
    name: `Character ${random.int(1, 999)}`,
    points: 1_000 - at,
  })),
  t: Date.now(),
});

function* scoreEvents({ players, kills }: BoardSize): Generator<BurstEvent> {
  const random = createRandom("scores");
  for (const days of [30, 2]) {
    const saveId = Date.now() - days * dayMs;
    yield buildHello(saveId);
    for (let first = 0; first < players; first += talliesPerFrame) {
      const tallies = Array.from({ length: talliesPerFrame }, (_, at) =>
        buildTally(first + at, random),
      );
      yield { kind: "player.tally", payload: { saveId, tallies } };
    }
  }
  for (let kill = 0; kill < kills; kill++) yield buildKill(kill, random, players);
}

const buildTally = (player: number, random: RandomSource): object => ({
  steamId: steamIdOf(player),
  name: `Player ${player}`,
  stats: Object.fromEntries(countedStats.map((stat) => [stat, random.logNormal(40, 1.5)])),
  playtimeSec: random.int(60, 500_000),
});
