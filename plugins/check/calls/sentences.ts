import { sentencesOf } from "../report/sentence.ts";

export const callSentences = sentencesOf("calls", {
  "calls.reads": [
    "Each read is answered as declared, or refused with a status and code of the table",
    "bridge.md §2",
  ],
  "calls.sources": [
    "Each source and picture is read to its end, and is what its manifest says",
    "bridge.md §2",
  ],
  "calls.capabilities": [
    "What capabilities name is there: no call of it is answered UNSUPPORTED",
    "plugins.md §2, bridge.md §2",
  ],
});

export type CallSentence = keyof typeof callSentences;
