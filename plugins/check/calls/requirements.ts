import { declareRequirements } from "../report/requirement.ts";

export const callRequirements = declareRequirements("calls", {
  "calls.reads": [
    "The program answers each read as it is declared, or refuses it with a status and code of " +
      "the protocol",
    "commands",
  ],
  "calls.sources": [
    "The program returns each source and each picture completely, as its manifest says",
    "sources",
  ],
  "calls.capabilities": [
    "The program has each call of the capabilities that it lists, and answers none with " +
      "UNSUPPORTED",
    "hello",
  ],
});

export type CallRequirement = keyof typeof callRequirements;
