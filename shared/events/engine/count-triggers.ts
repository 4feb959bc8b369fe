import type { Transaction } from "sequelize";

import { findTrigger } from "../../facts/triggers.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { fillConditions, meetsConditions } from "../machine/conditions.ts";
import { addMs } from "../machine/state.ts";
import type { TriggerGate } from "../spec/spec.ts";
import { type RunDependencies, siteTriggerSource } from "./announce-run.ts";
import {
  findRunsWithUnreadEvents,
  lastEventNumbersOf,
  insertTriggerHits,
  type GateEvent,
  readGateEvents,
} from "./gate-events.ts";
import { type LockedRun, lockRun } from "./lock-run.ts";
import { maxGateEventsPerQuery } from "./runs.sql.ts";
import { applyRunInput } from "./write-run.ts";

/** Maximum number of runs per pass; the next pass continues. */
const maxRuns = 1_000;

/** Clocks differ, so a phase also counts events that are this much older than its start. */
const clockToleranceMs = 60_000;

/** Counts unread trigger events for every run whose gate waits for their trigger. */
export async function countGateEvents(context: EventContext): Promise<void> {
  for (const runId of await findRunsWithUnreadEvents(context.sequelize, maxRuns)) {
    try {
      await countForRun(runId, context);
    } catch (error) {
      // One failing run must not stop the others.
      context.log.error(
        { err: error, runId },
        "the events that a gate waits for could not be counted",
      );
    }
  }
}

async function countForRun(runId: number, context: EventContext): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await inTransaction(context.sequelize, async (transaction) => {
      // A locked run waits for the next pass, because waiting for its lock would delay all others.
      const locked = await lockRun(runId, transaction, { by: "run unless locked" });
      return locked ? countPage(locked, transaction, context) : false;
    });
  }
}

/** Counts one page of unread events. @returns true if the run may have more unread events */
async function countPage(
  locked: LockedRun,
  transaction: Transaction,
  context: RunDependencies,
): Promise<boolean> {
  const { run, facts } = locked;
  const gate = run.phases[run.phase ?? 0]?.gate;
  if (facts.listensFor === null || gate?.kind !== "trigger") return false;
  const news = await readGateEvents({ ...facts, trigger: facts.listensFor }, transaction);
  if (news.length === 0) return false;
  const phase = run.phases[run.phase ?? 0]?.key ?? "";
  const most = gate.count - run.hits;
  const hearing = { runId: run.id, phase, heard: lastEventNumbersOf(news), most };
  const added = await insertTriggerHits(hearing, filterHits(news, gate, locked), transaction);
  const lastHit = added.at(-1)?.variables;
  if (!lastHit) return news.length === maxGateEventsPerQuery;
  const trigger = { kind: "hit", hits: run.hits + added.length, lastHit } as const;
  await applyRunInput(locked, trigger, transaction, context);
  return news.length === maxGateEventsPerQuery;
}

function filterHits(news: readonly GateEvent[], gate: TriggerGate, { run, facts }: LockedRun) {
  const trigger = findTrigger(gate.trigger);
  if (!trigger) return [];
  const where = fillConditions(gate.where, trigger, facts.params);
  // Skip events from before the phase: a replayed old event must not open a gate.
  const since = addMs(run.phaseBeganAt ?? new Date(0), -clockToleranceMs).valueOf();
  return news.filter(
    (one) =>
      one.t >= since && !isAboutRun(one, run.id) && meetsConditions(where, trigger, one.variables),
  );
}

/** Returns true if the event is about the run itself. */
const isAboutRun = ({ source, variables }: GateEvent, runId: number): boolean =>
  source === siteTriggerSource && variables["runId"] === runId;
