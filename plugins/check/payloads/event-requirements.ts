import { declareRequirements } from "../report/requirement.ts";

/** Requirements for every event, over a socket or in a call. */
export const eventRequirements = {
  ...declareRequirements("events", {
    "events.envelope": [
      "Each event has an integer seq, a kind, t in epoch milliseconds and a payload object; if " +
        "bootId, eventKey or saveId is present, it is valid",
      "events",
    ],
    "events.unchanged": ["An event that is sent again is unchanged", "events"],
    "events.keys": [
      "Events of one epoch that have the same eventKey report the same fact",
      "event-keys",
    ],
  }),
  ...declareRequirements("payloads", {
    "payloads.kinds": ["The site knows the kind of each event", "payloads"],
    "payloads.fields": ["Each payload is as its kind declares it", "payloads"],
  }),
  ...declareRequirements("snapshots", {
    "snapshots.whole": [
      "Each snapshot has a begin, each of its pages once, an end, and as many rows as the " +
        "begin states",
      "states",
    ],
  }),
};

export type EventRequirement = keyof typeof eventRequirements;
