import { sentencesOf } from "../report/sentence.ts";

/** What is true of every event, over a socket or in a call. */
export const eventSentences = {
  ...sentencesOf("events", {
    "events.envelope": [
      "An event has a whole seq, a kind, t in epoch ms and a payload object; bootId, eventKey and saveId are well formed",
      "bridge.md §1",
    ],
    "events.unchanged": ["An event that is sent again is the same event", "bridge.md §1"],
    "events.keys": [
      "An eventKey names one fact: no two events of an epoch share it and say different things",
      "bridge.md §1",
    ],
  }),
  ...sentencesOf("payloads", {
    "payloads.kinds": ["Each kind is one that the service knows", "bridge.md §3"],
    "payloads.fields": ["Each payload is as its kind declares it", "bridge.md §3"],
  }),
  ...sentencesOf("snapshots", {
    "snapshots.whole": [
      "A snapshot has a begin, each of its pages once, an end, and as many rows as begin says",
      "bridge.md §1",
    ],
  }),
};

export type EventSentence = keyof typeof eventSentences;
