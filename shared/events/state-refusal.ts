import { AppError } from "../platform/errors/errors.ts";

/** Creates the error for a change that the state of an event, a run or a step does not allow. */
export const eventStateError = (message: string): AppError =>
  new AppError("event_state", message, {
    faults: [{ path: "/status", code: "state", message }],
  });
