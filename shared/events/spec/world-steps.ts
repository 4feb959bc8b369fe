import { findAction } from "../actions/catalogue.ts";
import { changesWorld } from "../vocabulary.ts";
import { specOf } from "./stored-spec.ts";

/** Whether a step of an event changes the world of a game. */
export const hasWorldSteps = (event: { readonly spec: object }): boolean =>
  specOf(event).phases.some(({ steps }) =>
    steps.some(({ actionId }) => {
      const action = findAction(actionId);
      return action !== undefined && changesWorld(action.risk);
    }),
  );
