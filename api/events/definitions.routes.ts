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
    summary: "Events",
    description: "The one that was changed last comes first.",
    query: Joi.object<{ state?: DefinitionState }>({
      state: Joi.string()
        .valid(...definitionStates)
        .description("Those in this state alone."),
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
    summary: "One event, as it is being written",
    params: byEventId,
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: ({ found }, { config }) => ({ event: viewDefinition(found, config) }),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/:id/versions",
    summary: "What was published of an event",
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
    summary: "Write an event",
    description:
      "It begins as a draft. Every fault is named at once. Without a slug one is made of the title.",
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
      "Fields that are not named stay as they are; `spec` is replaced as a whole. What is " +
      "published stays as it is until the next time.",
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
      "Makes a new version of the `revision` that `basedOn` names. Runs that wait are moved to it and must be verified anew; those that " +
      "its schedule gives no longer are cancelled. Runs of the next 30 days are made at once.",
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
    summary: "Go through an event without taking place",
    description:
      "A published version without errors counts as verified, and starts by its schedule. " +
      "The working copy is gone through when that is asked for, or nothing is published yet. " +
      "`basedOn` is the `currentVersionRevision` of a published version, else the `revision`.",
    params: byEventId,
    body: Joi.object<{ target: VerifyTarget }>({
      target: Joi.string()
        .valid(...verifyTargets)
        .default("published"),
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
    summary: "Put an event away for good",
    description: "It is archived, never deleted: runs that wait are cancelled, others go on.",
    params: byEventId,
    basedOn: { ...based, when: "optional" },
    answers: { 200: oneEvent, 404: "Error" },
    find: findEvent,
    handle: async ({ params: { id }, caller }, context) => ({
      event: viewDefinition(await archiveDefinition(id, caller, context), context.config),
    }),
  }),
];
