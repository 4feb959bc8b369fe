import Joi from "joi";

import { archiveDefinition } from "../../shared/events/definitions/archive.ts";
import {
  changeDefinition,
  createDefinition,
  type DefinitionChange,
  type NewDefinition,
} from "../../shared/events/definitions/change.ts";
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
import { specFaults } from "../../shared/events/spec/validate.ts";
import { type DefinitionState, definitionStates } from "../../shared/events/vocabulary.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { viewDefinition, viewPublished, viewVerified, viewVersion } from "./definition-views.ts";
import { byEventId, staffEvents } from "./fields.ts";

const findEvent = (
  { params: { id } }: { readonly params: { readonly id: number } },
  context: ApiContext,
) => findDefinition(id, context);

/** For the refusal of what is based on another revision. */
const based = {
  as: "number",
  current: async (input: Parameters<typeof findEvent>[0], context: ApiContext) =>
    viewDefinition(await findEvent(input, context), context.config),
} as const;

const oneEvent = { enveloped: "event", shape: "EventDefinition" } as const;

/** The faults of a spec in a body, which the body's schema takes as it is. */
function faultsWithin(given: unknown, timezone: string) {
  const body = (given ?? {}) as { readonly spec?: unknown; readonly timezone?: unknown };
  if (body.spec === undefined) return [];
  return specFaults(body.spec, typeof body.timezone === "string" ? body.timezone : timezone);
}

export const definitionsRoutes = [
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events",
    summary: "List the events",
    description:
      "Returns every event as it was last saved, the last updated first. The list is not paged.",
    query: Joi.object<{ state?: DefinitionState }>({
      state: Joi.string()
        .valid(...definitionStates)
        .description("Returns only events in this state."),
    }),
    answers: {
      200: { enveloped: "events", shape: { listOf: "EventDefinition" } },
      400: "EventFaults",
    },
    handle: async ({ query: { state } }, context) => {
      const definitions = await listDefinitions(state, context);
      return { events: definitions.map((one) => viewDefinition(one, context.config)) };
    },
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/:id",
    summary: "Get an event",
    description:
      "Returns the event as it was last saved. It may differ from the published version: compare " +
      "`revision` with `currentVersionRevision`.",
    params: byEventId,
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: ({ found }, { config }) => ({ event: viewDefinition(found, config) }),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/:id/versions",
    summary: "List the published versions of an event",
    description:
      "Returns all versions, newest first, without their content. A version never changes.",
    params: byEventId,
    answers: {
      200: { enveloped: "versions", shape: { listOf: "EventVersion" } },
      404: "Error",
    },
    find: findEvent,
    handle: async ({ found }, context) => {
      const versions = await listVersions(found.id, context);
      return { versions: versions.map((one) => viewVersion(one, found.currentVersionId)) };
    },
  }),
  route<unknown, unknown, NewDefinition, "roles:admin,editor">({
    ...staffEvents,
    method: "post",
    path: "/api/v1/admin/events",
    summary: "Create an event",
    description:
      "Creates a draft. Only staff see it until it is published. If `slug` is omitted, it is " +
      "generated from the title, with a number if the slug is taken. 400 `validation_failed` " +
      "lists every fault, each with a JSON pointer and a code. 409 `slug_taken` if the given " +
      "slug is in use. Recorded in the activity log. A repeat creates another event.",
    body: Joi.object<NewDefinition>({
      ...definitionFields,
      title: definitionFields.title.required(),
      spec: definitionFields.spec.required(),
    }),
    faultsOf: (given) => faultsWithin(given, "UTC"),
    answers: { 201: oneEvent, 400: "EventFaults", 409: "PointedFaults" },
    handle: async ({ body, caller }, context) => {
      const definition = await createDefinition(body, caller, context);
      return answer(201, { event: viewDefinition(definition, context.config) });
    },
  }),
  route({
    ...staffEvents,
    method: "put",
    path: "/api/v1/admin/events/:id",
    summary: "Change an event",
    description:
      "Changes the fields that are sent and raises `revision`; `spec` is replaced as a whole. " +
      "The published version stays the same until the next publication. Only the slug, the " +
      "series and the position in the series of a published event change immediately. 409 " +
      "`event_state` if the event is archived, `slug_taken` if another event has the slug. " +
      "Recorded in the activity log.",
    params: byEventId,
    body: Joi.object<DefinitionChange>({ ...definitionFields }),
    basedOn: { ...based, when: "optional" },
    faultsOf: (given, found) => faultsWithin(given, found.timezone),
    answers: { 200: oneEvent, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find: findEvent,
    handle: async ({ params: { id }, body, caller }, context) => {
      const definition = await changeDefinition(id, body, caller, context);
      return { event: viewDefinition(definition, context.config) };
    },
  }),
  route({
    ...staffEvents,
    method: "post",
    path: "/api/v1/admin/events/:id/publish",
    gate: "roles:admin",
    summary: "Publish an event",
    description:
      "Creates a version from the event as it was last saved and sets the state of the event to " +
      "`ready`. A listed event is public from then on. Scheduled runs move to the new version. " +
      "Runs that the old schedule created are canceled instead if the new schedule does not " +
      "contain their time or the scope has changed. The service creates the runs of the schedule " +
      "for the next 30 days, at most 1,000. Runs with a scheduled time start only after the new " +
      "version is verified. 409 `event_state` if the event is archived. Recorded in the activity " +
      "log. A repeat creates a further version.",
    params: byEventId,
    basedOn: { ...based, when: "world-steps" },
    answers: { 200: "PublishedEvent", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) =>
      viewPublished(await publishDefinition(id, caller, context), context.config),
  }),
  route({
    ...staffEvents,
    method: "post",
    path: "/api/v1/admin/events/:id/verify",
    summary: "Verify an event with a dry run",
    description:
      "Checks parameters, caps, scope and schedule of the event, and whether its actions are " +
      "switched on. No action is run. The response is 200 even if the check finds errors; see " +
      "`report`. If the published version has no errors, the version is recorded as verified, " +
      "also in the activity log, and the runs of the event start at their scheduled times. With " +
      "the target `draft`, or if the event was never published, the event is checked as it was " +
      "last saved, and nothing is recorded. Send `currentVersionRevision` as `basedOn` for the " +
      "published version, `revision` for a draft.",
    params: byEventId,
    body: Joi.object<{ target: VerifyTarget }>({
      target: Joi.string()
        .valid(...verifyTargets)
        .default("published")
        .description(
          "What to check: the published version, or the event as it was last saved (`draft`).",
        ),
    }),
    basedOn: { ...based, when: "world-steps", shownAs: "`currentVersionRevision`" },
    answers: { 200: "VerifiedEvent", 400: "EventFaults", 404: "Error" },
    find: findEvent,
    handle: async ({ found, body: { target }, caller }, context) =>
      viewVerified(await verifyDefinition(found, target, caller, context)),
  }),
  route({
    ...staffEvents,
    method: "delete",
    path: "/api/v1/admin/events/:id",
    summary: "Archive an event",
    description:
      "Archives the event permanently: it cannot be restored, and its slug stays taken. Its " +
      "scheduled runs are canceled, its runs under way continue, and its public page disappears. " +
      "Recorded in the activity log. A repeat returns 200 and changes nothing.",
    params: byEventId,
    basedOn: { ...based, when: "optional" },
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) => ({
      event: viewDefinition(await archiveDefinition(id, caller, context), context.config),
    }),
  }),
];
