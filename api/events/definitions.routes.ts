import Joi from "joi";

import {
  findDefinition,
  listDefinitions,
  listVersions,
} from "../../shared/events/definitions/definitions.ts";
import { definitionFields } from "../../shared/events/definitions/fields.ts";
import { publishDefinition } from "../../shared/events/definitions/publish.ts";
import {
  type VerifyTarget,
  verifyDefinition,
  verifyTargets,
} from "../../shared/events/definitions/verify.ts";
import {
  archiveDefinition,
  updateDefinition,
  createDefinition,
  type DefinitionPatch,
  type NewDefinition,
} from "../../shared/events/definitions/write-definitions.ts";
import { findSpecFaults } from "../../shared/events/spec/validate.ts";
import { type DefinitionState, definitionStates } from "../../shared/events/vocabulary.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import {
  viewDefinition,
  viewPublishResult,
  viewVerifyResult,
  viewVersion,
} from "./definition-views.ts";
import { eventIdParams, staffEventRouteOptions } from "./fields.ts";

const findEvent = (
  { params: { id } }: { readonly params: { readonly id: number } },
  context: ApiContext,
) => findDefinition(id, context);

/** The revision check of an event. A `stale_revision` refusal contains the current event. */
const revisionConflict = {
  as: "number",
  current: async (input: Parameters<typeof findEvent>[0], context: ApiContext) =>
    viewDefinition(await findEvent(input, context), context.config),
} as const;

const oneEvent = { enveloped: "event", shape: "Definition" } as const;

/** Finds the faults of a `spec`, because the schema of the body accepts any value there. */
function findBodyFaults(given: unknown, timezone: string) {
  const body = (given ?? {}) as { readonly spec?: unknown; readonly timezone?: unknown };
  if (body.spec === undefined) return [];
  return findSpecFaults(body.spec, typeof body.timezone === "string" ? body.timezone : timezone);
}

export const definitionsRoutes = [
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events",
    summary: "List the events",
    description:
      "Returns every event as it was last saved, most recently updated first. The list is not " +
      "divided into pages.",
    query: Joi.object<{ state?: DefinitionState }>({
      state: Joi.string()
        .valid(...definitionStates)
        .description("Returns only events in this state."),
    }),
    answers: {
      200: { enveloped: "events", shape: { listOf: "Definition" } },
      400: "EventFaults",
    },
    handle: async ({ query: { state } }, context) => {
      const definitions = await listDefinitions(state, context);
      return { events: definitions.map((one) => viewDefinition(one, context.config)) };
    },
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/:id",
    summary: "Get an event",
    description:
      "Returns the event as it was last saved. If `revision` is not equal to " +
      "`currentVersionRevision`, the event has changed since it was last published.",
    params: eventIdParams,
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: ({ found }, { config }) => ({ event: viewDefinition(found, config) }),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/:id/versions",
    summary: "List the published versions of an event",
    description:
      "Returns all published versions of the event, newest first, without their content. A " +
      "version never changes after it is published.",
    params: eventIdParams,
    answers: {
      200: { enveloped: "versions", shape: { listOf: "Version" } },
      404: "Error",
    },
    find: findEvent,
    handle: async ({ found }, context) => {
      const versions = await listVersions(found.id, context);
      return { versions: versions.map((one) => viewVersion(one, found.currentVersionId)) };
    },
  }),
  defineRoute<unknown, unknown, NewDefinition, "roles:admin,editor">({
    ...staffEventRouteOptions,
    method: "post",
    path: "/api/v1/admin/events",
    summary: "Create an event",
    description:
      "Creates an event as a draft. Only staff can see the event until it is published. If the " +
      "request omits `slug`, the service makes a slug from the title, and appends a number if " +
      "this slug is in use. If fields are invalid, the response is 400 `validation_failed` and " +
      "lists every fault with a JSON pointer and a code. 409 `slug_taken` if the `slug` of the " +
      "request is in use. The activity log records the request. If the same request is sent " +
      "again, it creates another event.",
    body: Joi.object<NewDefinition>({
      ...definitionFields,
      title: definitionFields.title.required(),
      spec: definitionFields.spec.required(),
    }),
    faultsOf: (given) => findBodyFaults(given, "UTC"),
    answers: { 201: oneEvent, 400: "EventFaults", 409: "PointedFaults" },
    handle: async ({ body, caller }, context) => {
      const definition = await createDefinition(body, caller, context);
      return createAnswer(201, { event: viewDefinition(definition, context.config) });
    },
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "put",
    path: "/api/v1/admin/events/:id",
    summary: "Change an event",
    description:
      "Fields that the request does not contain keep their values. `spec` replaces the whole " +
      "former spec. The change raises `revision`. If the event is published, the slug, the " +
      "series and the position in the series change immediately; all other changes take effect " +
      "with the next publication. 409 `event_state` if the event is archived, 409 `slug_taken` " +
      "if another event has the slug. The activity log records the request.",
    params: eventIdParams,
    body: Joi.object<DefinitionPatch>({ ...definitionFields }),
    basedOn: { ...revisionConflict, when: "optional" },
    faultsOf: (given, found) => findBodyFaults(given, found.timezone),
    answers: { 200: oneEvent, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find: findEvent,
    handle: async ({ params: { id }, body, caller }, context) => {
      const definition = await updateDefinition(id, body, caller, context);
      return { event: viewDefinition(definition, context.config) };
    },
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "post",
    path: "/api/v1/admin/events/:id/publish",
    gate: "roles:admin",
    summary: "Publish an event",
    description:
      "Creates a version from the event as it was last saved, and sets the state of the event to " +
      "`ready`. If the event is listed, it is public from then on. Scheduled runs move to the " +
      "new version, with one exception: a run that the former schedule created is canceled if " +
      "the new schedule does not contain its time, or if the scope has changed. The service " +
      "creates the runs of the new schedule for the next 30 days, at most 1,000 runs. Runs with " +
      "a scheduled time start only after the new version is verified. 409 `event_state` if the " +
      "event is archived. The activity log records the request. If the same request is sent " +
      "again, it creates another version.",
    params: eventIdParams,
    basedOn: { ...revisionConflict, when: "world-steps" },
    answers: { 200: "PublishedEvent", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) =>
      viewPublishResult(await publishDefinition(id, caller, context), context.config),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "post",
    path: "/api/v1/admin/events/:id/verify",
    summary: "Verify an event with a dry run",
    description:
      "Checks the parameters, caps, scope and schedule of the event, and whether its actions are " +
      "switched on. Runs no action. The response is 200 even if the check finds errors: `report` " +
      "lists them. If the published version has no errors, the service records it as verified, " +
      "and runs of the event then start at their scheduled times. The activity log records the " +
      "verification. With the target `draft`, or if the event was never published, the operation " +
      "checks the event as it was last saved and records nothing. For the published version, " +
      "send `currentVersionRevision` as `basedOn`; for a draft, send `revision`.",
    params: eventIdParams,
    body: Joi.object<{ target: VerifyTarget }>({
      target: Joi.string()
        .valid(...verifyTargets)
        .default("published")
        .description(
          "What to check: the published version (`published`), or the event as it was last saved " +
            "(`draft`). Default: `published`.",
        ),
    }),
    basedOn: { ...revisionConflict, when: "world-steps", shownAs: "`currentVersionRevision`" },
    answers: { 200: "VerifiedEvent", 400: "EventFaults", 404: "Error" },
    find: findEvent,
    handle: async ({ found, body: { target }, caller }, context) =>
      viewVerifyResult(await verifyDefinition(found, target, caller, context)),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "delete",
    path: "/api/v1/admin/events/:id",
    summary: "Archive an event",
    description:
      "Archives the event permanently: it cannot be restored, and no other event can use its " +
      "slug. Scheduled runs of the event are canceled, runs under way continue, and the public " +
      "page of the event disappears. If the event is already archived, the response is 200 and " +
      "nothing changes. The activity log records the request.",
    params: eventIdParams,
    basedOn: { ...revisionConflict, when: "optional" },
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) => ({
      event: viewDefinition(await archiveDefinition(id, caller, context), context.config),
    }),
  }),
];
