import Joi from "joi";

import { missing } from "../../shared/errors.ts";
import { standardScale } from "../../shared/survival/map/image/render-map.ts";
import { readLive } from "../../shared/survival/map/live/read-live.ts";
import { checkImage, currentHash, readImage, readMap } from "../../shared/survival/map/read-map.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { viewOf } from "../../shared/survival/visibility/read-visibility.ts";
import { answer } from "../http/answer.ts";
import { byId } from "../http/fields.ts";
import { answerPicture, anyOrigin } from "../http/picture.ts";
import { route } from "../http/route.ts";
import { answerImport } from "../shard/answer-import.ts";
import { imagePath, viewLive, viewMap } from "./map-views.ts";

const forAll = { gate: "public", set: "core", tag: "Survival" } as const;
const forAdmins = { gate: "roles:admin", set: "core", tag: "Survival staff" } as const;

const hashPattern = /^[\da-f]{64}$/;

export const mapRoutes = [
  route({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map",
    summary: "The map of a survival server",
    keepMs: 0,
    description:
      "Of the world that stands, also while the server is off. `image` is null while no picture is held.",
    params: byId,
    answers: { 200: "SurvivalMap", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewMap(found.server.id, await readMap(found, await viewOf(caller, context), context)),
  }),
  route({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map/image",
    summary: "A picture of a survival server's map",
    description:
      "Under its hash it never changes and may be kept for ever. Without one the answer leads to the " +
      "picture of the world that stands, and must be asked for anew each time. Pictures of the ten " +
      "newest worlds are held, of each the three newest.",
    params: byId,
    query: Joi.object<{ hash?: string }, true>({
      hash: Joi.string().allow("").description("Of the picture's bytes, sha256."),
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
        const Location = imagePath(id, currentHash(found));
        return answer(302, null, {
          headers: { Location, "Cache-Control": "no-cache", ...anyOrigin },
        });
      }
      if (!hashPattern.test(hash)) throw missing("No such picture is held");
      const source = {
        check: () => checkImage(id, hash, context),
        read: () => readImage(id, hash, context),
      };
      return answerPicture(hash, source, { request, response });
    },
  }),
  route({
    ...forAll,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/map/live",
    summary: "Where things are on a survival server now",
    description:
      "Servers tell of it every five seconds. A layer is there where the caller reaches its audience, " +
      "which for players and bases is staff at the least; below the audience of the live map it is " +
      "`hidden`, without layers. `stale` after 15 seconds without news, and at once when the server " +
      "is off: then nothing is anywhere. 404 below staff where the live map is switched off. Whoever " +
      "is not signed in may be given the answer of a second ago.",
    params: byId,
    neverCached: true,
    keepMs: 1_000,
    answers: { 200: "SurvivalLiveMap", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewLive(readLive(found, await viewOf(caller, context), context.liveMaps)),
  }),
  route({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/map/fetch",
    summary: "Fetch the picture of a survival server's map again",
    description:
      "A picture that the server tells of is fetched by itself; this asks for it now. A server that " +
      "cannot send it answers `unavailable` with its code.",
    params: byId,
    takes: ["Prefer"],
    answers: { 200: "SurvivalMapFetched", 202: "AcceptedJob", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: ({ found, ...asked }, context) =>
      answerImport("map", { ...asked, flags: { serverId: found.server.id } }, context),
  }),
  route({
    ...forAdmins,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/map/render",
    summary: "Have a survival server draw its map anew",
    description: "`queued`: the picture is fetched once the server tells that it is there.",
    params: byId,
    body: Joi.object<{ scale: number }, true>({
      scale: Joi.number()
        .min(0.1)
        .max(1)
        .default(standardScale)
        .description("Of the world's size in metres, as pixels."),
    }),
    takes: ["Prefer"],
    answers: { 200: "SurvivalMapRender", 202: "AcceptedJob", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context),
    handle: ({ found, body, ...asked }, context) => {
      const { scale } = body;
      const flags = { serverId: found.server.id, scale, userId: asked.caller.userId };
      return answerImport("map-render", { ...asked, flags }, context);
    },
  }),
];
