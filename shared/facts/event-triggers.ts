import { requiredVariable, type EventTrigger, type TriggerVariable } from "./trigger.ts";

interface Described {
  readonly label: string;
  readonly description: string;
}

/** Declares a trigger with the variables of all event triggers. Version 2 added `eventUrl`. */
const event = <Id extends string>(
  id: `event.${Id}`,
  { label, description }: Described,
  ...variables: TriggerVariable[]
) =>
  ({
    id,
    version: 2,
    label,
    description,
    owner: "events",
    variables: [
      requiredVariable("runId", "integer", "The id of the run."),
      requiredVariable("title", "string", "The published title of the event."),
      requiredVariable("slug", "string", "The slug of the event."),
      requiredVariable("eventUrl", "text", "The URL of the run's page on the site."),
      ...variables,
    ],
  }) as const satisfies EventTrigger;

/** Rehearsals and unlisted events emit no triggers. A phase that waits ignores the triggers of its own run. */
export const eventTriggers = [
  event("event.started", {
    label: "An event starts",
    description: "A run of an announced event starts.",
  }),
  event(
    "event.phase.started",
    {
      label: "A phase of an event starts",
      description: "A run of an announced event enters a phase, including the first phase.",
    },
    requiredVariable("phase", "string", "The key of the phase."),
  ),
  event("event.completed", {
    label: "An event is complete",
    description:
      "A run of an announced event passes its last phase. Canceled and failed runs do not count.",
  }),
];

export type EventTriggerId = (typeof eventTriggers)[number]["id"];
