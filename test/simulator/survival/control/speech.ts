import { readRequiredInteger, objectBody, oneOf, readRequiredText } from "../../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import { helpersOf } from "../game/states.ts";
import { onlinePlayers } from "../world/world.ts";
import { readObjectList } from "./fields.ts";
import { needHelper } from "./helpers.ts";
import { command, defineReadRoute } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

/** Routes for announcements, titles and links. */
export const speechRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/announce", announce),
  command("PUT", "/v1/voice", setVoice),
  command("PUT", "/v1/titles", setTitles),
  command("POST", "/v1/link/redeem", redeem),
  defineReadRoute("/v1/integrations", (_, { world }) =>
    createOkAnswer({
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

function announce(
  { body, key }: SurvivalControlCall,
  { world, game, deeds }: SurvivalHost,
): ControlAnswer {
  const fields = objectBody(body);
  const message = readRequiredText(fields, "message", 1, 512);
  oneOf({ channel: "chat", ...fields }, "channel", ["chat", "toast"]);
  deeds.note({ what: "announced", ref: key ?? message, key, at: game.now() });
  return createOkAnswer({ delivered: onlinePlayers(world).length });
}

function setVoice({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needHelper(host, "chat");
  host.world.voice = objectBody(body);
  host.deeds.note({ what: "voice.set", ref: "voice", key, at: host.game.now() });
  return createOkAnswer({ ok: true });
}

const modes = ["first", "all", "upTo"] as const;

function setTitles({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needHelper(host, "chat");
  const fields = objectBody(body);
  const mode = oneOf(fields, "mode", modes);
  const max = mode === "upTo" ? readRequiredInteger(fields, "max", 1, 10) : null;
  const holders = readObjectList(fields, "holders");
  host.world.titles = { mode, max, holders };
  host.deeds.note({ what: "titles.set", ref: "titles", key, at: host.game.now() });
  return createOkAnswer({ ok: true, holders: holders.length });
}

/** Redeems a link code. A code is valid for a short time and once. */
function redeem(
  { body, key }: SurvivalControlCall,
  { world, game, deeds }: SurvivalHost,
): ControlAnswer {
  const code = readRequiredText(objectBody(body), "code", 1, 64).trim().toUpperCase();
  const minted = world.codes.get(code);
  if (minted === undefined || minted.expiresAt <= game.now()) throw refuseMissing();
  const player = world.players.get(minted.steamId);
  if (player === undefined) throw refuse(404, "NOT_FOUND");
  world.codes.delete(code);
  deeds.note({ what: "link.redeemed", ref: player.steamId, key, at: game.now() });
  return createOkAnswer({ steamId: player.steamId, name: player.name });
}
