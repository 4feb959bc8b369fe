import { eventLimits } from "../vocabulary.ts";
import { defineAction } from "./action.ts";

const common = { owner: "core", risk: "inspect" } as const;

export const coreActions = [
  defineAction<{ seconds: number }>({
    ...common,
    id: "core.wait",
    label: "Wait",
    params: [
      {
        name: "seconds",
        type: "integer",
        required: true,
        min: 1,
        max: eventLimits.maxAfterSeconds,
        description: "How many seconds to wait, from the start of the step.",
      },
    ],
    run: ({ params: { seconds } }) => ({ kind: "wait", seconds }),
  }),
  defineAction<{ message?: string }>({
    ...common,
    id: "core.confirm",
    label: "Wait for a person to confirm",
    params: [
      {
        name: "message",
        type: "string",
        required: false,
        maxLength: 500,
        description: "What the person is asked to confirm.",
      },
    ],
    run: ({ params: { message } }) => ({ kind: "park", reason: message || "to be confirmed" }),
  }),
];
