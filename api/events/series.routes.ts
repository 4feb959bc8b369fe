import Joi from "joi";

import { orderField, slugField, titleField } from "../../shared/events/definitions/fields.ts";
import {
  changeSeries,
  type CountedSeries,
  createSeries,
  deleteSeries,
  findSeries,
  listSeries,
  type NewSeries,
  type SeriesChange,
} from "../../shared/events/series/series.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { bySeriesId, staffEvents } from "./fields.ts";

const fields = {
  name: titleField,
  slug: slugField,
  description: Joi.string().allow("").max(2_000),
  ordering: orderField,
};

const one = { enveloped: "series", shape: "EventSeries" } as const;

const find = (
  { params: { seriesId } }: { readonly params: { readonly seriesId: number } },
  context: ApiContext,
) => findSeries(seriesId, context);

/**
 * @openapi
 * components:
 *   schemas:
 *     EventSeries:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, slug, description, ordering, definitionCount]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, example: Winter season }
 *         slug: { type: string, example: winter-season }
 *         description: { type: string, example: Every Saturday until spring. }
 *         ordering: { type: integer }
 *         definitionCount: { type: integer, description: Events in it. }
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
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/series",
    summary: "Series of events",
    answers: { 200: { enveloped: "series", shape: { listOf: "EventSeries" } } },
    handle: async (_input, context) => ({ series: (await listSeries(context)).map(viewSeries) }),
  }),
  route({
    ...staffEvents,
    method: "post",
    path: "/api/v1/admin/events/series",
    summary: "Make a series",
    body: Joi.object<NewSeries>({ ...fields, name: fields.name.required() }),
    answers: { 201: one, 400: "EventFaults", 409: "PointedFaults" },
    handle: async ({ body, caller }, context) => {
      const series = await createSeries(body, caller, context);
      return answer(201, { series: viewSeries({ series, definitionCount: 0 }) });
    },
  }),
  route({
    ...staffEvents,
    method: "put",
    path: "/api/v1/admin/events/series/:seriesId",
    summary: "Change a series",
    description: "Fields that are not named stay as they are.",
    params: bySeriesId,
    body: Joi.object<SeriesChange>(fields),
    answers: { 200: one, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find,
    handle: async ({ params: { seriesId }, body, caller }, context) => {
      await changeSeries(seriesId, body, caller, context);
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
   *         detached: { type: integer, description: Events that have no series now. }
   */
  route({
    ...staffEvents,
    method: "delete",
    path: "/api/v1/admin/events/series/:seriesId",
    summary: "Delete a series",
    description: "Its events stay, without a series.",
    params: bySeriesId,
    answers: { 200: "DeletedSeries", 404: "Error" },
    find,
    handle: async ({ params: { seriesId }, caller }, context) => ({
      ok: true,
      detached: await deleteSeries(seriesId, caller, context),
    }),
  }),
];
