import Joi from "joi";

import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { createAnswer, alreadySentAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { pageHeaders } from "../http/security-headers.ts";
import {
  descriptionFile,
  createDescriptionReader,
  type DescriptionReader,
  docsPage,
} from "./docs.ts";

const undocumented = "the description does not describe itself";

/** Creates the description's routes. They answer 404 while the description is missing. */
export const createDocsRoutes = (readDescriptions: DescriptionReader) => [
  defineRoute({
    method: "get",
    path: "/api/docs",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Interactive API documentation",
    undocumented,
    answers: { 200: { mediaType: "text/html" } },
    handle: ({ response }) => {
      if (!readDescriptions()) throw notFoundError();
      response.set(pageHeaders).type("html").send(docsPage);
      return alreadySentAnswer;
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     ApiDescription:
   *       type: object
   *       additionalProperties: true
   *       description: The OpenAPI description.
   */
  defineRoute({
    method: "get",
    path: "/api/docs.json",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "The OpenAPI description",
    undocumented,
    query: Joi.object<{ set: "core" | "additive" }, true>({
      set: Joi.string().valid("core", "additive").default("core"),
    }),
    answers: { 200: "ApiDescription", 404: "Error" },
    handle: ({ query }) => {
      const descriptions = readDescriptions();
      if (!descriptions) throw notFoundError();
      const headers = { "Cache-Control": "public, max-age=300" };
      return createAnswer(200, descriptions[query.set], { headers });
    },
  }),
];

export const docsRoutes = createDocsRoutes(createDescriptionReader(descriptionFile));
