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
      "Redirects to `/public/assets/by-hash/{hash}`, where the bytes of the picture are. An " +
      "import may change the redirect, but never the bytes at its target. 404 `not_found` if " +
      "the service holds no picture of the key: pictures of bodies and land tiles come with the " +
      "import of the picture catalog, those of items with `POST /admin/shard/assets/warm`.",
    params: Joi.object<{ key: string }, true>({
      key: Joi.string()
        .pattern(assetKeyPattern, "asset key")
        .required()
        .description(
          "Key of the picture: `body:17`, `land:3`, `item:3922`, or an item in a hue, " +
            "`item:3922:1153`.",
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
      "Returns the bytes, PNG or WebP as the shard sent them. They never change, so clients and " +
      "caches may keep them forever. 304 if `If-None-Match` names the hash. 404 `not_found` for " +
      "a hash that no loaded picture has.",
    params: Joi.object<{ hash: string }, true>({
      hash: Joi.string()
        .pattern(/^[\da-f]{64}$/, "sha256")
        .required()
        .description("SHA-256 of the picture's bytes."),
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
