import { audiences } from "../../shared/events/actions/audiences.ts";
import { actions } from "../../shared/events/actions/catalogue.ts";
import { messageBodies } from "../../shared/events/actions/message-bodies.ts";
import * as words from "../../shared/events/vocabulary.ts";
import { paramTypes } from "../../shared/facts/param.ts";
import { triggers } from "../../shared/facts/triggers.ts";
import { defineRoute } from "../http/route.ts";
import { viewAction, viewTrigger } from "./catalog-views.ts";

const {
  risks,
  failureReactions: onFailures,
  failureReactionByRisk: onFailureByRisk,
  scheduleKinds,
} = words;

const catalog = {
  actions: actions.map(viewAction),
  risks,
  reversible: actions.filter(({ reversible }) => reversible).map(({ id }) => id),
  paramTypes,
  onFailure: onFailures,
  onFailureByRisk,
  scheduleKinds,
  triggers: triggers.map(viewTrigger),
  audiences,
  bodies: messageBodies,
  operators: words.operators,
  advanceKinds: words.gateKinds,
  limits: words.eventLimits,
};

export const catalogRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/admin/events/catalog",
    gate: "roles:admin,editor",
    set: "core",
    tag: "Events",
    summary: "Get the catalog of actions and triggers",
    description:
      "Returns the building blocks of events: the actions that steps can run, the triggers that " +
      "phases can wait for, and the available audiences, message texts, operators and limits. " +
      "Labels and descriptions are texts that forms can show. The catalog changes only with a " +
      "new release of the service.",
    answers: { 200: "EventCatalog" },
    handle: () => catalog,
  }),
];
