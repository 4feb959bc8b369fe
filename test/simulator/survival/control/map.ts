import { objectBody } from "../../control/input.ts";
import { refuse, refuseField } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import { mapInfo } from "../game/states.ts";
import { renderMap } from "../world/map.ts";
import { optionalNumber } from "./fields.ts";
import { needHelper } from "./helpers.ts";
import { command, defineRequestRoute } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

export const mapRoutes: readonly SurvivalRoute[] = [
  defineRequestRoute("/v1/map/fetch", fetchImage),
  command("POST", "/v1/map/render", render),
];

/** Returns the bytes of the map picture. The headers describe the picture. */
function fetchImage(_: SurvivalControlCall, { world, standing }: SurvivalHost): ControlAnswer {
  const { image, size, saveId } = world.save;
  if (image === null) throw refuse(422, "NO_IMAGE");
  const isBad = standing.badImages > 0;
  if (isBad) standing.badImages--;
  return {
    status: 200,
    body: null,
    file: {
      bytes: isBad ? Buffer.from(image.bytes).fill(0, 100, 120) : image.bytes,
      headers: {
        "content-type": image.mime,
        "x-map-hash": image.hash,
        "x-map-mime": image.mime,
        "x-map-width": String(image.width),
        "x-map-height": String(image.height),
        "x-map-ocean-margin": String(image.oceanMargin),
        "x-map-background": image.background,
        "x-map-world-size": String(size),
        "x-map-save-id": String(saveId),
      },
    },
  };
}

const smallestScale = 0.1;

/** Renders a new picture after the answer. The event `map.info` then announces the picture. */
function render({ body }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needHelper(host, "map");
  const { world, game } = host;
  const scale = optionalNumber(objectBody(body ?? {}), "scale") ?? 0.5;
  if (!(scale >= smallestScale && scale <= 1)) throw refuseField("scale", "must be from 0.1 to 1");
  if (!game.worldReady) throw refuse(409, "BUSY");
  const { image: side, oceanMargin } = world.sizes;
  game.afterwards(0, () => {
    const seed = `${world.save.seed}/${scale}`;
    world.save.image = renderMap(seed, Math.round(side * scale), Math.round(oceanMargin * scale));
    game.emit("map.info", mapInfo(world));
  });
  return { status: 202, body: { scale } };
}
