import Joi from "joi";

import {
  assetKeyPattern,
  readPictureType,
  findPictureHash,
  readPicture,
} from "../../shared/shard/assets/pictures.ts";
import { createAnswer } from "../http/answer.ts";
import { answerWithPicture, anyOriginHeaders } from "../http/picture.ts";
import { defineRoute } from "../http/route.ts";

export const artRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/public/assets/:key",
    gate: "feature:market",
    set: "additive",
    tag: "Shard",
    summary: "Get the picture of an item, land tile or body",
    description:
      "Redirects to `/public/assets/by-hash/{hash}`, the URL of the current picture for the key. " +
      "After an import, the same key may redirect to another picture. 404 `not_found` if the " +
      "service has no picture for the key. Administrators load pictures of bodies and land tiles " +
      "with `POST /admin/shard/assets/import`, and pictures of items with `POST " +
      "/admin/shard/assets/warm`.",
    params: Joi.object<{ key: string }, true>({
      key: Joi.string()
        .pattern(assetKeyPattern, "asset key")
        .required()
        .description(
          "Key of the picture: its kind and the id of its graphic, such as `body:17`, `land:3` " +
            "or `item:3922`. For an item in a hue, the key also contains the hue: " +
            "`item:3922:1153`.",
        ),
    }),
    answers: { 302: "", 404: "Error" },
    handle: async ({ params }, context) => {
      const hash = await findPictureHash(params.key, context);
      const Location = `/api/v1/public/assets/by-hash/${hash}`;
      return createAnswer(302, null, { headers: { Location, ...anyOriginHeaders } });
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/public/assets/by-hash/:hash",
    gate: "public",
    set: "additive",
    tag: "Shard",
    summary: "Get a picture by its hash",
    description:
      "Returns the picture that has this hash, as PNG or WebP. `GET /public/assets/{key}` " +
      "redirects to this operation. The picture for a hash never changes, so clients and caches " +
      "may keep it indefinitely. If `If-None-Match` contains the `ETag` of the picture, the " +
      "response is 304. 404 `not_found` if the service has no picture with this hash.",
    params: Joi.object<{ hash: string }, true>({
      hash: Joi.string()
        .pattern(/^[\da-f]{64}$/, "sha256")
        .required()
        .description("SHA-256 hash of the picture's bytes, as 64 lowercase hexadecimal digits."),
    }),
    takes: ["If-None-Match"],
    sends: { 200: ["ETag"], 304: ["ETag"] },
    answers: { 200: { mediaType: "image/png" }, 304: "", 404: "Error" },
    handle: ({ params: { hash }, request, response }, context) => {
      const source = {
        check: () => readPictureType(hash, context),
        read: () => readPicture(hash, context),
      };
      return answerWithPicture(hash, source, { request, response });
    },
  }),
];
