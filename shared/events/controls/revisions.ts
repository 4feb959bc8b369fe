import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import { hashOf } from "../../platform/based-on.ts";
import { isParked } from "../machine/state.ts";

/** The revision of a run that people control: of its version, its status and its phase. */
export const runRevision = ({
  versionId,
  status,
  currentPhase,
}: Pick<EventRun, "versionId" | "status" | "currentPhase">): string =>
  hashOf([versionId, status, currentPhase]);

/** The revision of a step that people control: of its status, and of how often it was tried. */
export const stepRevision = (step: Pick<EventStep, "status" | "attempts" | "leaseOwner">): string =>
  hashOf([step.status, isParked(step), step.attempts]);
