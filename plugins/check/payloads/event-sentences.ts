import { sentencesOf } from "../report/sentence.ts";

/** What is true of every event, over a socket or in a call. */
export const eventSentences = {
  ...sentencesOf("events", {
    "events.envelope": [
      "An event has a whole seq, a kind, t in epoch ms and a payload object; bootId, eventKey and saveId are well formed",
      "events",
    ],
    "events.unchanged": ["An event that is sent again is the same event", "events"],
    "events.keys": [
      "An eventKey names one fact: no two events of an epoch share it and say different things",
      "event-keys",
    ],
  }),
  ...sentencesOf("payloads", {
    "payloads.kinds": ["Each kind is one that the service knows", "payloads"],
    "payloads.fields": ["Each payload is as its kind declares it", "payloads"],
  }),
  ...sentencesOf("snapshots", {
    "snapshots.whole": [
      "A snapshot has a begin, each of its pages once, an end, and as many rows as begin says",
      "states",
    ],
  }),
};

export type EventSentence = keyof typeof eventSentences;
