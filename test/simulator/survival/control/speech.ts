import { integer, objectBody, oneOf, text } from "../../control/input.ts";
import { ok, refuse, refuseMissing } from "../../control/refusal.ts";
import type { Answer } from "../../control/refusal.ts";
import { helpersOf } from "../game/states.ts";
import { onlinePlayers } from "../world/world.ts";
import { objects } from "./fields.ts";
import { needHelper } from "./helpers.ts";
import { command, read } from "./route.ts";
import type { Call, SurvivalHost, SurvivalRoute } from "./route.ts";

/** Routes for announcements, titles and links. */
export const speechRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/announce", announce),
  command("PUT", "/v1/voice", setVoice),
  command("PUT", "/v1/titles", setTitles),
  command("POST", "/v1/link/redeem", redeem),
  read("/v1/integrations", (_, { world }) =>
    ok({
      framework: { name: world.framework.name, version: world.framework.version },
      integrations: helpersOf(world).map(({ id, name, loaded, version }) => ({
        id,
        mod: name,
        loaded,
        version,
      })),
      plugins: [...world.plugins.values()].map(({ name, version, loaded }) => ({
        name,
        version,
        loaded,
      })),
    }),
  ),
];

function announce({ body, key }: Call, { world, game, deeds }: SurvivalHost): Answer {
  const fields = objectBody(body);
  const message = text(fields, "message", 1, 512);
  oneOf({ channel: "chat", ...fields }, "channel", ["chat", "toast"]);
  deeds.note({ what: "announced", ref: key ?? message, key, at: game.now() });
  return ok({ delivered: onlinePlayers(world).length });
}

function setVoice({ body, key }: Call, host: SurvivalHost): Answer {
  needHelper(host, "chat");
  host.world.voice = objectBody(body);
  host.deeds.note({ what: "voice.set", ref: "voice", key, at: host.game.now() });
  return ok({ ok: true });
}

const modes = ["first", "all", "upTo"] as const;

function setTitles({ body, key }: Call, host: SurvivalHost): Answer {
  needHelper(host, "chat");
  const fields = objectBody(body);
  const mode = oneOf(fields, "mode", modes);
  const max = mode === "upTo" ? integer(fields, "max", 1, 10) : null;
  const holders = objects(fields, "holders");
  host.world.titles = { mode, max, holders };
  host.deeds.note({ what: "titles.set", ref: "titles", key, at: host.game.now() });
  return ok({ ok: true, holders: holders.length });
}

/** Redeems a link code. A code is valid for a short time and once. */
function redeem({ body, key }: Call, { world, game, deeds }: SurvivalHost): Answer {
  const code = text(objectBody(body), "code", 1, 64).trim().toUpperCase();
  const minted = world.codes.get(code);
  if (minted === undefined || minted.expiresAt <= game.now()) throw refuseMissing();
  const player = world.players.get(minted.steamId);
  if (player === undefined) throw refuse(404, "NOT_FOUND");
  world.codes.delete(code);
  deeds.note({ what: "link.redeemed", ref: player.steamId, key, at: game.now() });
  return ok({ steamId: player.steamId, name: player.name });
}
