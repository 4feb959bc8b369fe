import Joi from "joi";

import { orderField, slugField, titleField } from "../../shared/events/definitions/fields.ts";
import {
  updateSeries,
  type CountedSeries,
  createSeries,
  deleteSeries,
  findSeries,
  listSeries,
  type NewSeries,
  type SeriesPatch,
} from "../../shared/events/definitions/series.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { seriesIdParams, staffEventRouteOptions } from "./fields.ts";

const fields = {
  name: titleField,
  slug: slugField,
  description: Joi.string().allow("").max(2_000),
  ordering: orderField.description(
    "Position in the list of series. Series with lower values come first.",
  ),
};

const one = { enveloped: "series", shape: "Series" } as const;

const find = (
  { params: { seriesId } }: { readonly params: { readonly seriesId: number } },
  context: ApiContext,
) => findSeries(seriesId, context);

/**
 * @openapi
 * components:
 *   schemas:
 *     Series:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, slug, description, ordering, definitionCount]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, example: Winter season }
 *         slug: { type: string, example: winter-season }
 *         description: { type: string, example: Every Saturday until spring. }
 *         ordering: { type: integer, description: Position in the list of series. Series with lower values come first. }
 *         definitionCount:
 *           type: integer
 *           description: Number of events in the series. Archived events count as well.
 */
const viewSeries = ({ series, definitionCount }: CountedSeries) => ({
  id: series.id,
  name: series.name,
  slug: series.slug,
  description: series.description,
  ordering: series.ordering,
  definitionCount,
});

export const seriesRoutes = [
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/series",
    summary: "List the series of events",
    description:
      "Returns all series, sorted by `ordering` and then by name. The list is not divided into " +
      "pages.",
    answers: { 200: { enveloped: "series", shape: { listOf: "Series" } } },
    handle: async (_input, context) => ({ series: (await listSeries(context)).map(viewSeries) }),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "post",
    path: "/api/v1/admin/events/series",
    summary: "Create a series",
    description:
      "Creates a series without events. If the request omits `slug`, the service makes a slug " +
      "from the name, and appends a number if this slug is in use. 409 `slug_taken` if the " +
      "`slug` of the request is in use. The activity log records the request. If the same " +
      "request is sent again, it creates another series.",
    body: Joi.object<NewSeries>({ ...fields, name: fields.name.required() }),
    answers: { 201: one, 400: "EventFaults", 409: "PointedFaults" },
    handle: async ({ body, caller }, context) => {
      const series = await createSeries(body, caller, context);
      return createAnswer(201, { series: viewSeries({ series, definitionCount: 0 }) });
    },
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "put",
    path: "/api/v1/admin/events/series/:seriesId",
    summary: "Change a series",
    description:
      "Fields that the request does not contain keep their values. A new slug immediately " +
      "changes the URL of the series' public page. 409 `slug_taken` if another series has the " +
      "slug. The activity log records the request.",
    params: seriesIdParams,
    body: Joi.object<SeriesPatch>(fields),
    answers: { 200: one, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find,
    handle: async ({ params: { seriesId }, body, caller }, context) => {
      await updateSeries(seriesId, body, caller, context);
      return { series: viewSeries(await findSeries(seriesId, context)) };
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     DeletedSeries:
   *       type: object
   *       additionalProperties: false
   *       required: [ok, detached]
   *       properties:
   *         ok: { type: boolean }
   *         detached: { type: integer, description: Number of events that belonged to the deleted series. }
   */
  defineRoute({
    ...staffEventRouteOptions,
    method: "delete",
    path: "/api/v1/admin/events/series/:seriesId",
    summary: "Delete a series",
    description:
      "Deletes the series permanently. The events of the series stay, but no longer belong to a " +
      "series. 404 `not_found` if the series is unknown or already deleted. The activity log " +
      "records the request.",
    params: seriesIdParams,
    answers: { 200: "DeletedSeries", 404: "Error" },
    find,
    handle: async ({ params: { seriesId }, caller }, context) => ({
      ok: true,
      detached: await deleteSeries(seriesId, caller, context),
    }),
  }),
];
