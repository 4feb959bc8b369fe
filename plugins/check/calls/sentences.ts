import { sentencesOf } from "../report/sentence.ts";

export const callSentences = sentencesOf("calls", {
  "calls.reads": [
    "Each read is answered as declared, or refused with a status and code of the table",
    "commands",
  ],
  "calls.sources": [
    "Each source and picture is read to its end, and is what its manifest says",
    "sources",
  ],
  "calls.capabilities": [
    "What capabilities name is there: no call of it is answered UNSUPPORTED",
    "hello",
  ],
});

export type CallSentence = keyof typeof callSentences;
