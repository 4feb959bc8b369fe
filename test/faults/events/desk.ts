import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import { timeoutMs } from "../../support/clock/wait.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import { shuffleList } from "../rounds.ts";
import type { Api } from "../service.ts";

/** A run that one person directed, with the orders that the API confirmed. */
export interface ConfirmedRun {
  readonly end: "cancelled" | "confirmed";
  readonly eventId: number;
  readonly runId: number;
  /** The id of the step that waited for a confirmation. */
  readonly askedId: number;
  /** The highest log id when the API confirmed the last order. */
  readonly answeredAt: number;
}

interface Scene {
  readonly apis: readonly Api[];
  readonly headers: { readonly cookie: string };
  /** True if processes are killed while they answer orders. */
  readonly kills?: boolean;
  /** The processes that are paused now. Orders go to the other processes. */
  readonly still?: ReadonlySet<ChildProgram>;
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * The time within which the run must ask for a confirmation. A retry may wait a minute, and the clock may jump
 * back by two minutes.
 */
const askedWithinMs = 300_000;
/**
 * The maximum delay of a kill in milliseconds. A request takes a few milliseconds, so it may end
 * before the kill or begin after it.
 */
const blowWithinMs = 40;

const townCrier = (text: string) => ({
  actionId: "shard.towncrier.add",
  params: { lines: text, durationSec: 60 },
  maxAttempts: 20,
});

const specOf = (title: string) => ({
  phases: [
    {
      key: "only",
      title: "Only",
      steps: [
        { key: "first", ...townCrier(`${title} begins`) },
        { key: "ask", actionId: "core.confirm", params: {} },
        { key: "last", ...townCrier(`${title} ends`) },
      ],
    },
  ],
});

/**
 * People who write, start, cancel and confirm runs. The processes that answer them may be killed
 * meanwhile.
 */
export class EventOperators {
  readonly evenings: ConfirmedRun[] = [];
  /** The number of orders that got no answer, so that their outcome was unknown. */
  unanswered = 0;
  killed = 0;
  readonly #scene: Scene;
  #desks = 0;
  #away: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Directs one run after another until the signal. Waits at the end until killed processes run again. */
  async work(name: string, signal: AbortSignal): Promise<void> {
    const random = this.#scene.random.fork(name);
    this.#desks++;
    for (let number = 1; !signal.aborted; number++) {
      const title = `${name} ${number}`;
      const end = (number + this.#desks) % 2 === 0 ? "cancelled" : "confirmed";
      await this.#holdEvening({ title, end }, random).catch((error: unknown) => {
        const detail = { title, error: String(error) };
        this.#scene.history.violate("an order is answered when it is repeated", detail);
      });
    }
    await this.#away;
  }

  async #holdEvening(
    { title, end }: { readonly title: string; readonly end: ConfirmedRun["end"] },
    random: RandomSource,
  ): Promise<void> {
    const { event } = await this.#order<{ event: { id: number } }>("POST /admin/events", random, {
      title,
      spec: specOf(title),
      graceSeconds: 3_600,
    });
    const at = `/admin/events/${event.id}`;
    await this.#order(`POST ${at}/publish`, random, {});
    const { run } = await this.#order<{ run: { id: number } }>(`POST ${at}/runs`, random, {});
    if (end === "cancelled") await sleep(random.int(0, 3_000));
    else await this.#untilAsked(run.id);
    const askedId = await this.#findAsked(run.id);
    const order = end === "cancelled" ? "cancel" : `steps/${askedId}/confirm`;
    await this.#order(`POST /admin/events/runs/${run.id}/${order}`, random, {});
    const answeredAt = await this.#countLines();
    this.evenings.push({ end, eventId: event.id, runId: run.id, askedId, answeredAt });
    this.#scene.history.note(`desk: ${end}`);
  }

  async #untilAsked(runId: number): Promise<void> {
    const asked = `select from event_steps where run_id = $1 and action_id = 'core.confirm'
      and status = 'running' and lease_owner is null`;
    const giveUpAt = performance.now() + askedWithinMs;
    while ((await this.#scene.read(asked, [runId]).catch(() => [])).length === 0) {
      if (performance.now() > giveUpAt) throw new Error(`run ${runId} asks nobody`);
      await sleep(100);
    }
  }

  /** Waits for the step that asks for confirmation. @returns its id */
  async #findAsked(runId: number): Promise<number> {
    const rows = await this.#untilRead<{ id: number }>(
      "select id from event_steps where run_id = $1 and action_id = 'core.confirm'",
      [runId],
    );
    return rows[0]?.id ?? 0;
  }

  async #countLines(): Promise<number> {
    const rows = await this.#untilRead<{ last: number }>(
      "select last_value::integer as last from event_log_lines_id_seq",
    );
    return rows[0]?.last ?? 0;
  }

  async #untilRead<Row>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    for (;;) {
      const rows = await this.#scene.read(text, values).catch(() => undefined);
      if (rows) return rows as Row[];
      await sleep(100);
    }
  }

  /**
   * Sends an order until the API answers it, because a killed process or database is down for seconds.
   * @throws if the API refuses the order or never answers
   */
  async #order<T>(route: string, random: RandomSource, body: object): Promise<T> {
    const giveUpAt = performance.now() + timeoutMs;
    let isRepeated = false;
    while (performance.now() < giveUpAt) {
      const answer = await this.#tryOrder(route, random, body);
      const isAnswer = answer !== undefined && answer.status < 500;
      // An earlier attempt executed the order, but its answer was lost.
      if (isAnswer && answer.status === 409 && isRepeated) return {} as T;
      if (isAnswer && answer.status >= 300) throw new Error(`${route}: ${answer.text}`);
      if (isAnswer) return JSON.parse(answer.text) as T;
      this.unanswered++;
      isRepeated = true;
      await sleep(random.int(20, 200));
    }
    throw new Error(`${route} is not answered`);
  }

  async #tryOrder(route: string, random: RandomSource, body: object): Promise<Answer | undefined> {
    const [method = "", path = ""] = route.split(" ");
    for (const api of shuffleList(this.#scene.apis, random)) {
      if (!api.process.runs || this.#scene.still?.has(api.process)) continue;
      if (this.killed === 0 || random.chance(0.3)) this.#killAmid(api, random.int(0, blowWithinMs));
      const init = {
        method,
        headers: { ...this.#scene.headers, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      };
      return fetch(`${api.url}/api/v1${path}`, init).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => undefined,
      );
    }
    return undefined;
  }

  /** Kills the process after a delay, unless a process is down already. The other process answers the orders. */
  #killAmid({ process }: Api, afterMs: number): void {
    const { kills, history } = this.#scene;
    if (!kills || this.#isAway) return;
    this.#isAway = true;
    this.killed++;
    this.#away = (async () => {
      await sleep(afterMs);
      await process.kill();
      history.note("api killed");
      await process.start();
      this.#isAway = false;
    })();
  }
}
