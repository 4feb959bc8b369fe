import { eventLimits } from "../vocabulary.ts";
import { type Action, defineAction } from "./action.ts";
import { shardActions } from "./shard.ts";
import { siteActions } from "./site.ts";
import { survivalKitActions } from "./survival-kits.ts";
import { survivalParticipationActions } from "./survival-participation.ts";
import { survivalWorldActions } from "./survival.ts";

const common = { owner: "core", risk: "inspect" } as const;

const coreActions = [
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

/** CATALOGUE of the actions that steps can perform; a module adds its actions here in one line. */
export const actions: readonly Action[] = [
  ...coreActions,
  ...siteActions,
  ...shardActions,
  ...survivalWorldActions,
  ...survivalParticipationActions,
  ...survivalKitActions,
];

const byId: ReadonlyMap<string, Action> = new Map(actions.map((one) => [one.id, one]));

export const findAction = (id: string): Action | undefined => byId.get(id);
