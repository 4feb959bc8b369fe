import Joi from "joi";

import {
  assetKeyPattern,
  checkPicture,
  findPictureHash,
  readPicture,
} from "../../shared/shard/assets/pictures.ts";
import { answer } from "../http/answer.ts";
import { answerPicture, anyOrigin } from "../http/picture.ts";
import { route } from "../http/route.ts";

export const artRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/assets/:key",
    gate: "feature:market",
    set: "additive",
    tag: "Shard",
    summary: "Get the picture of an item, land tile or body",
    description:
      "Redirects to `/public/assets/by-hash/{hash}`, which returns the picture. An import may " +
      "change the redirect, but never the picture at a given target. 404 `not_found` if the " +
      "service has no picture for the key. `POST /admin/shard/assets/import` fetches pictures of " +
      "bodies and land tiles, `POST /admin/shard/assets/warm` those of items.",
    params: Joi.object<{ key: string }, true>({
      key: Joi.string()
        .pattern(assetKeyPattern, "asset key")
        .required()
        .description(
          "Key of the picture, such as `body:17`, `land:3`, `item:3922` or, for an item in a " +
            "hue, `item:3922:1153`.",
        ),
    }),
    answers: { 302: "", 404: "Error" },
    handle: async ({ params }, context) => {
      const hash = await findPictureHash(params.key, context);
      const Location = `/api/v1/public/assets/by-hash/${hash}`;
      return answer(302, null, { headers: { Location, ...anyOrigin } });
    },
  }),
  route({
    method: "get",
    path: "/api/v1/public/assets/by-hash/:hash",
    gate: "public",
    set: "additive",
    tag: "Shard",
    summary: "Get a picture by its hash",
    description:
      "Returns the picture as PNG or WebP, as the shard sent it. The picture at a hash never " +
      "changes, so clients and caches may keep it forever. 304 if `If-None-Match` contains the " +
      "hash. 404 `not_found` if no loaded picture has the hash.",
    params: Joi.object<{ hash: string }, true>({
      hash: Joi.string()
        .pattern(/^[\da-f]{64}$/, "sha256")
        .required()
        .description("SHA-256 of the picture."),
    }),
    takes: ["If-None-Match"],
    sends: { 200: ["ETag"], 304: ["ETag"] },
    answers: { 200: { mediaType: "image/png" }, 304: "", 404: "Error" },
    handle: ({ params: { hash }, request, response }, context) => {
      const source = {
        check: () => checkPicture(hash, context),
        read: () => readPicture(hash, context),
      };
      return answerPicture(hash, source, { request, response });
    },
  }),
];
