import { integer, objectBody, text } from "../../control/input.ts";
import { ok, refuse, refuseMissing } from "../../control/refusal.ts";
import type { Answer } from "../../control/refusal.ts";
import { depart } from "../game/players.ts";
import { steamId } from "./fields.ts";
import { command, read } from "./route.ts";
import type { Call, SurvivalHost, SurvivalRoute } from "./route.ts";

/** Routes for kicks and bans. */
export const moderationRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/players/kick", kick),
  command("POST", "/v1/players/ban", ban),
  command("POST", "/v1/players/unban", unban),
  read("/v1/players/bans", (_, host) =>
    ok({ bans: bansInForce(host).map(([id, facts]) => ({ steamId: id, ...facts })) }),
  ),
];

const bansInForce = ({ world, game }: SurvivalHost) =>
  [...world.bans].filter(([, { expiresAt }]) => expiresAt === null || expiresAt > game.now());

function kick({ body, key }: Call, { world, game, deeds }: SurvivalHost): Answer {
  const fields = objectBody(body);
  const id = steamId(fields, "steamId");
  const reason = text(fields, "reason", 1, 200);
  const player = world.players.get(id);
  if (player === undefined || player.connectedAt === null) throw refuseMissing();
  depart(game.commandScene(), player, `Kicked: ${reason}`);
  deeds.note({ what: "player.kicked", ref: id, key, at: game.now() });
  return ok({});
}

function ban({ body, key }: Call, host: SurvivalHost): Answer {
  const { world, game, deeds } = host;
  const fields = objectBody(body);
  const id = steamId(fields, "steamId");
  const reason = text(fields, "reason", 1, 200);
  const durationSec =
    fields["durationSec"] === null ? null : integer(fields, "durationSec", 1, 315_360_000);
  if (bansInForce(host).some(([banned]) => banned === id)) throw refuse(409, "TAKEN");
  const expiresAt = durationSec === null ? null : game.now() + durationSec * 1_000;
  const player = world.players.get(id);
  world.bans.set(id, { name: player?.name ?? "", reason, expiresAt });
  if (player !== undefined) depart(game.commandScene(), player, `Banned: ${reason}`);
  deeds.note({ what: "player.banned", ref: id, key, at: game.now() });
  return ok({ ownerSteamId: null });
}

function unban({ body, key }: Call, host: SurvivalHost): Answer {
  const id = steamId(objectBody(body), "steamId");
  if (!bansInForce(host).some(([banned]) => banned === id)) throw refuseMissing();
  host.world.bans.delete(id);
  host.deeds.note({ what: "player.unbanned", ref: id, key, at: host.game.now() });
  return ok({});
}
