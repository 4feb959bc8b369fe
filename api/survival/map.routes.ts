import Joi from "joi";

import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { readLiveMap } from "../../shared/survival/map/live-maps.ts";
import {
  requireStoredMapImage,
  findCurrentMapHash,
  readStoredMapImage,
  readMap,
} from "../../shared/survival/map/read-map.ts";
import { defaultMapScale } from "../../shared/survival/map/render-map.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { readCallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { answerWithPicture, anyOriginHeaders } from "../http/picture.ts";
import { defineRoute } from "../http/route.ts";
import { requestAndAnswerImport } from "../shard/answer-import.ts";
import { buildMapImagePath, viewLiveMap, viewMap } from "./map-views.ts";

const forAll = { gate: "public", set: "core", tag: "Survival" } as const;
const forAdmins = { gate: "roles:admin", set: "core", tag: "Survival staff" } as const;

const hashPattern = /^[\da-f]{64}$/;

export const mapRoutes = [
  defineRoute({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map",
    summary: "Get the map of a survival server",
    keepMs: 0,
    description:
      "Returns the map of the current world: its size, image, grid and monuments. `image` is " +
      "null until the service has an image of this world. Callers below the audience of the " +
      "layer `world` receive no monuments. The operation also works while the server is offline. " +
      "404 `not_found` if the server is unknown or not listed.",
    params: rowIdParams,
    answers: { 200: "SurvivalMap", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewMap(
        found.server.id,
        await readMap(found, await readCallerAccess(caller, context), context),
      ),
  }),
  defineRoute({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map/image",
    summary: "Get a map image of a survival server",
    description:
      "Returns the map image that has the hash `hash`. The image for a hash never changes, so " +
      "clients and caches may keep it indefinitely. If `hash` is absent, the response redirects " +
      "to the image of the current world; caches must not keep the redirect. The service keeps " +
      "the three newest images of each of the ten newest worlds, unless a storage limit is " +
      "reached. 404 `not_found` if the service has no image with this hash, or none of the " +
      "current world.",
    params: rowIdParams,
    query: Joi.object<{ hash?: string }, true>({
      hash: Joi.string()
        .allow("")
        .description(
          "SHA-256 hash of the image, as 64 lowercase hexadecimal digits. If absent, the " +
            "response redirects to the current image.",
        ),
    }),
    takes: ["If-None-Match"],
    sends: { 200: ["ETag"], 302: ["Location"], 304: ["ETag"] },
    answers: {
      200: { oneOf: [{ mediaType: "image/png" }, { mediaType: "image/jpeg" }] },
      302: "",
      304: "",
      404: "Error",
    },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query: { hash }, request, response }, context) => {
      const { id } = found.server;
      if (!hash) {
        const Location = buildMapImagePath(id, findCurrentMapHash(found));
        return createAnswer(302, null, {
          headers: { Location, "Cache-Control": "no-cache", ...anyOriginHeaders },
        });
      }
      if (!hashPattern.test(hash)) throw notFoundError("The site has no such picture");
      const source = {
        check: () => requireStoredMapImage(id, hash, context),
        read: () => readStoredMapImage(id, hash, context),
      };
      return answerWithPicture(hash, source, { request, response });
    },
  }),
  defineRoute({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map/live",
    summary: "Get live positions on a survival server",
    description:
      "Returns the current positions of game events, players and bases. Game servers report " +
      "positions every five seconds, so request them every five seconds. The response contains " +
      "only the layers that the caller may see; the layers `players` and `bases` require at " +
      "least the audience `staff`. Callers below the audience of the live map receive `hidden: " +
      "true` and no layers. `stale` is true if the server has not reported for 15 seconds or is " +
      "offline; while it is offline, the layers are empty as well. Responses to anonymous " +
      "callers may be one second old. 404 `not_found` for callers below the audience `staff` if " +
      "the live map is turned off.",
    params: rowIdParams,
    neverCached: true,
    keepMs: 1_000,
    answers: { 200: "SurvivalLiveMap", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewLiveMap(readLiveMap(found, await readCallerAccess(caller, context), context.liveMaps)),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalMapFetched:
   *       type: object
   *       additionalProperties: false
   *       required: [status, reason, code, hash]
   *       properties:
   *         status: { $ref: '#/components/schemas/SurvivalMapEnd' }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Explanation of the status, for people. Null if there is none.
   *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
   *         hash:
   *           type: string
   *           nullable: true
   *           description: SHA-256 of the map image. Null if there is no image.
   */
  defineRoute({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/map/fetch",
    summary: "Fetch the map image of a survival server now",
    description:
      "Downloads the map image from the game server. The service fetches new images " +
      "automatically, so this operation is needed only if a fetch failed. If a fetch is already " +
      "running, the request waits for that job. If the image is not available, for example " +
      "because the server is offline or no worker is running, the response is 200 with the " +
      "status `unavailable` and a `code`.",
    params: rowIdParams,
    takes: ["Prefer"],
    answers: { 200: "SurvivalMapFetched", 202: "AcceptedJob", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: ({ found, ...asked }, context) =>
      requestAndAnswerImport("map", { ...asked, flags: { serverId: found.server.id } }, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalMapRender:
   *       type: object
   *       additionalProperties: false
   *       required: [status, reason, code, scale]
   *       properties:
   *         status: { $ref: '#/components/schemas/SurvivalMapRenderEnd' }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Explanation of the status, for people. Null if there is none.
   *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
   *         scale:
   *           type: number
   *           nullable: true
   *           description: >-
   *             Number of pixels in the image for each meter of the world. Null if no image is
   *             rendered.
   *           example: 0.5
   */
  defineRoute({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/map/render",
    summary: "Have a survival server render its map again",
    description:
      "Asks the game server to render a new map image. The status `queued` means that the server " +
      "accepted the request: when it reports the new image, the service fetches the image " +
      "automatically. If the server cannot render the map, the response is 200 with the status " +
      "`unavailable` and a `code`. The ledger records the request.",
    params: rowIdParams,
    body: Joi.object<{ scale: number }, true>({
      scale: Joi.number()
        .min(0.1)
        .max(1)
        .default(defaultMapScale)
        .description("Number of pixels in the image for each meter of the world. Default: 0.5."),
    }),
    takes: ["Prefer"],
    answers: { 200: "SurvivalMapRender", 202: "AcceptedJob", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: ({ found, body, ...asked }, context) => {
      const { scale } = body;
      const flags = { serverId: found.server.id, scale, userId: asked.caller.userId };
      return requestAndAnswerImport("map-render", { ...asked, flags }, context);
    },
  }),
];
