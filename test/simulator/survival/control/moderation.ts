import { readRequiredInteger, objectBody, readRequiredText } from "../../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import { disconnectPlayer } from "../game/players.ts";
import { readSteamId } from "./fields.ts";
import { command, defineReadRoute } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

/** Routes for kicks and bans. */
export const moderationRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/players/kick", kick),
  command("POST", "/v1/players/ban", ban),
  command("POST", "/v1/players/unban", unban),
  defineReadRoute("/v1/players/bans", (_, host) =>
    createOkAnswer({ bans: bansInForce(host).map(([id, facts]) => ({ steamId: id, ...facts })) }),
  ),
];

const bansInForce = ({ world, game }: SurvivalHost) =>
  [...world.bans].filter(([, { expiresAt }]) => expiresAt === null || expiresAt > game.now());

function kick(
  { body, key }: SurvivalControlCall,
  { world, game, deeds }: SurvivalHost,
): ControlAnswer {
  const fields = objectBody(body);
  const id = readSteamId(fields, "steamId");
  const reason = readRequiredText(fields, "reason", 1, 200);
  const player = world.players.get(id);
  if (player === undefined || player.connectedAt === null) throw refuseMissing();
  disconnectPlayer(game.commandScene(), player, `Kicked: ${reason}`);
  deeds.note({ what: "player.kicked", ref: id, key, at: game.now() });
  return createOkAnswer({});
}

function ban({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { world, game, deeds } = host;
  const fields = objectBody(body);
  const id = readSteamId(fields, "steamId");
  const reason = readRequiredText(fields, "reason", 1, 200);
  const durationSec =
    fields["durationSec"] === null
      ? null
      : readRequiredInteger(fields, "durationSec", 1, 315_360_000);
  if (bansInForce(host).some(([banned]) => banned === id)) throw refuse(409, "TAKEN");
  const expiresAt = durationSec === null ? null : game.now() + durationSec * 1_000;
  const player = world.players.get(id);
  world.bans.set(id, { name: player?.name ?? "", reason, expiresAt });
  if (player !== undefined) disconnectPlayer(game.commandScene(), player, `Banned: ${reason}`);
  deeds.note({ what: "player.banned", ref: id, key, at: game.now() });
  return createOkAnswer({ ownerSteamId: null });
}

function unban({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const id = readSteamId(objectBody(body), "steamId");
  if (!bansInForce(host).some(([banned]) => banned === id)) throw refuseMissing();
  host.world.bans.delete(id);
  host.deeds.note({ what: "player.unbanned", ref: id, key, at: host.game.now() });
  return createOkAnswer({});
}
