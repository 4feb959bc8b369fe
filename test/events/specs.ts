import { exampleSpec } from "../../shared/events/spec/example.ts";

const [gather] = exampleSpec.phases;

/** The example event of the API description, with the fight in a phase of its own. */
export const championEvening = {
  ...exampleSpec,
  phases: [
    { ...gather, advance: { kind: "steps" } },
    {
      key: "fight",
      title: "The fight",
      steps: [
        {
          key: "spawn",
          actionId: "shard.champion.start",
          params: { id: "0x40001A2B" },
          confirm: true,
        },
      ],
      advance: gather.advance,
    },
  ],
} as const;

/** Returns the spec of an event with a single step. By default the step is a broadcast. */
export const buildOneStepSpec = (step: object, rest: object = {}) => ({
  params: [
    { name: "boss", type: "string" },
    { name: "minutes", type: "integer" },
  ],
  phases: [
    {
      key: "one",
      title: "One",
      steps: [
        {
          key: "call",
          actionId: "shard.broadcast",
          ...(!("key" in step) && { params: { text: "Hear ye" } }),
          ...step,
        },
      ],
    },
  ],
  ...rest,
});
