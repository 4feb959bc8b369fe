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
    summary: "The picture of an item, a land tile or a body",
    params: Joi.object<{ key: string }, true>({
      key: Joi.string()
        .pattern(assetKeyPattern, "asset key")
        .required()
        .description("`body:17`, `land:3`, `item:3922`, or in a hue `item:3922:1153`."),
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
    summary: "A picture by the sha256 of its bytes",
    description: "It never changes: it may be kept for ever.",
    params: Joi.object<{ hash: string }, true>({
      hash: Joi.string()
        .pattern(/^[\da-f]{64}$/, "sha256")
        .required()
        .description("Of the picture's bytes."),
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
