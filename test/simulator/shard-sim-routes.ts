import type { IncomingMessage, ServerResponse } from "node:http";

import { readFamilyRows } from "./control/ground.ts";
import { objectBody, oneOf, readRequiredText } from "./control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "./control/refusal.ts";
import { bringChampion, championTurns } from "./happenings/champions.ts";
import { createRandom } from "./random.ts";
import type { Sidecar } from "./sidecar.ts";
import { answerSim } from "./sim-routes.ts";
import type { SimRoutes } from "./sim-routes.ts";
import { findAccount, mintCode } from "./world/world.ts";

/** The routes of a simulated shard that only tests call. */
const routes: SimRoutes<Sidecar> = {
  "GET /sim/world": (_, { world }) =>
    createOkAnswer({
      signupMode: world.signupMode,
      online: world.online.values().map((one) => one.serial),
      accounts: world.accounts.values().map(({ name, access, ban, characters }) => ({
        account: name,
        access,
        banned: ban !== null,
        characters: characters.map((one) => one.serial),
      })),
      links: world.links.values(),
      codes: world.codes.keys(),
      champions: world.champions.values().map(({ id, name, state }) => ({ id, name, state })),
      pages: world.pages.keys(),
    }),
  "GET /sim/rows": ({ query }, sidecar) => {
    const rows = readFamilyRows(sidecar, query.get("family") ?? "");
    if (rows === null) throw refuseMissing();
    return createOkAnswer({ rows });
  },
  "POST /sim/codes": ({ body }, sidecar) => {
    const account = findAccount(
      sidecar.world,
      readRequiredText(objectBody(body), "account", 1, 64),
    );
    if (account === undefined) throw refuseMissing();
    const random = createRandom(`${sidecar.buffer.epoch} code ${sidecar.world.codes.size}`);
    return createOkAnswer({ code: mintCode(sidecar.world, account, random) });
  },
  "POST /sim/champions": ({ body }, { world, game }) => {
    const fields = objectBody(body);
    const altar = world.champions.get(readRequiredText(fields, "id", 1, 64));
    if (altar === undefined) throw refuseMissing();
    if (!game.awake) throw refuse(503, "SHARD_DOWN");
    bringChampion(game.commandScene(), altar, oneOf(fields, "to", championTurns));
    return createOkAnswer({ id: altar.id, state: altar.state });
  },
};

export const answerShardSim = (
  sidecar: Sidecar,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => answerSim(routes, sidecar, request, response);
