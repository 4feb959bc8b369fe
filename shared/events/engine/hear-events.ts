import type { Transaction } from "sequelize";

import { findTrigger } from "../../facts/triggers.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { fillConditions, meetsAll } from "../machine/conditions.ts";
import { later } from "../machine/state.ts";
import type { TriggerGate } from "../spec/spec.ts";
import { type RunContext, siteSource } from "./announce-run.ts";
import { type LockedRun, lockRun } from "./lock-run.ts";
import { findListeners, heardAfter, insertHits, type News, newsPage, readNews } from "./news.ts";
import { changeRun } from "./write-run.ts";

/** Maximum per pass; the next pass continues. */
const mostRuns = 1_000;

/** Clocks differ, so a phase also counts events that are this much older than its start. */
const leewayMs = 60_000;

/** Counts unread news for every run whose gate waits for their trigger. */
export async function hearEvents(context: EventContext): Promise<void> {
  for (const runId of await findListeners(context.sequelize, mostRuns)) {
    try {
      await hearFor(runId, context);
    } catch (error) {
      // One failing run must not stop the others.
      context.log.error({ err: error, runId }, "a gate did not count its events");
    }
  }
}

async function hearFor(runId: number, context: EventContext): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await inTransaction(context.sequelize, async (transaction) => {
      // A locked run waits for the next pass, because waiting for its lock would delay all others.
      const locked = await lockRun(runId, transaction, { by: "run unless locked" });
      return locked ? hearPage(locked, transaction, context) : false;
    });
  }
}

/** @returns true if there may be more news for the run */
async function hearPage(
  locked: LockedRun,
  transaction: Transaction,
  context: RunContext,
): Promise<boolean> {
  const { run, facts } = locked;
  const gate = run.phases[run.phase ?? 0]?.gate;
  if (facts.listensFor === null || gate?.kind !== "trigger") return false;
  const news = await readNews({ ...facts, trigger: facts.listensFor }, transaction);
  if (news.length === 0) return false;
  const phase = run.phases[run.phase ?? 0]?.key ?? "";
  const most = gate.count - run.hits;
  const hearing = { runId: run.id, phase, heard: heardAfter(news), most };
  const added = await insertHits(hearing, hitsAmong(news, gate, locked), transaction);
  const lastHit = added.at(-1)?.variables;
  if (!lastHit) return news.length === newsPage;
  const trigger = { kind: "hit", hits: run.hits + added.length, lastHit } as const;
  await changeRun(locked, trigger, transaction, context);
  return news.length === newsPage;
}

function hitsAmong(news: readonly News[], gate: TriggerGate, { run, facts }: LockedRun) {
  const trigger = findTrigger(gate.trigger);
  if (!trigger) return [];
  const where = fillConditions(gate.where, trigger, facts.params);
  // A replayed old event must not open a gate.
  const since = later(run.phaseBeganAt ?? new Date(0), -leewayMs).valueOf();
  return news.filter(
    (one) => one.t >= since && !isOwn(one, run.id) && meetsAll(where, trigger, one.variables),
  );
}

/** Returns true if the event is about the run itself. */
const isOwn = ({ source, variables }: News, runId: number): boolean =>
  source === siteSource && variables["runId"] === runId;
