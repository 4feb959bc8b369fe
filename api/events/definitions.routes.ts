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
      "Returns every event as it is being edited, the last updated first. The list is not paged.",
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
      "Returns the event as it is being edited, which may differ from its published version: " +
      "compare `revision` with `currentVersionRevision`.",
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
      "Creates a draft, which nobody but staff sees until it is published, and records it in " +
      "the activity log. 400 `validation_failed` names every fault at once, each with a JSON " +
      "pointer and a code. Without `slug`, the slug is made from the title, with a number if it " +
      "is taken; a `slug` that is sent and taken is 409 `slug_taken`. A repeat creates another " +
      "event.",
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
      "Changes the fields that are sent, raises `revision` and records the change in the " +
      "activity log; `spec` is replaced as a whole. The published version stays as it is until " +
      "the next publication, but slug and series of a published event change at once. An " +
      "archived event is 409 `event_state`, a slug that another event has is 409 `slug_taken`.",
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
      "Makes a version of the event as it is now and sets its state to `ready`; a listed event " +
      "is public from then on. Scheduled runs move to the new version, except that runs of the " +
      "old schedule that the new one does not have are cancelled. Runs of the schedule are " +
      "created for the next 30 days, at most 1,000. Runs with a scheduled time start only after " +
      "the new version is verified. An archived event is 409 `event_state`; a repeat makes a " +
      "further version.",
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
      "Checks the event without acting: parameters, switched-off actions, caps, scope and " +
      "schedule. The answer is 200 whatever the check finds; see `report`. A published version " +
      "without errors is recorded as verified, also in the activity log, and its runs start at " +
      "their scheduled times. A draft is checked if `target` says so or nothing is published " +
      "yet, and nothing is recorded. `basedOn` is `currentVersionRevision` for the published " +
      "version and `revision` for a draft.",
    params: byEventId,
    body: Joi.object<{ target: VerifyTarget }>({
      target: Joi.string()
        .valid(...verifyTargets)
        .default("published")
        .description("What to check: the published version or the event as it is being edited."),
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
      "Archives the event for good: it cannot be restored, and its slug stays taken. Its " +
      "scheduled runs are cancelled, runs under way go on, and its public page disappears. The " +
      "activity log records it. Archiving it again answers 200 and changes nothing.",
    params: byEventId,
    basedOn: { ...based, when: "optional" },
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) => ({
      event: viewDefinition(await archiveDefinition(id, caller, context), context.config),
    }),
  }),
];
