import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createLogger } from "../../../shared/platform/log.ts";
import { createPgBoss, createQueue, type Queue } from "../../../shared/platform/queue/queue.ts";
import { SiteCalls } from "../../simulator/plugin/site-calls.ts";
import { logIn, type TestUser } from "../../support/accounts/sign-in.ts";
import { testEnvironment } from "../../support/service/server.ts";
import { answerCalls } from "../parts/answering.ts";
import { sayHello, sendEvents } from "../plugin/calls.ts";
import { event } from "../stream/event.ts";

/**
 * A load that makes dead rows: jobs, sign-ins, clients of event streams and a plugin. Each part does its next
 * round after the previous one, and counts its rounds.
 */

export interface ChurnTarget {
  /** URL of the web process. */
  readonly url: string;
  readonly databaseUrl: string;
  /** The shard's plugin key. */
  readonly key: string;
  /** The users who sign in and out. */
  readonly users: readonly TestUser[];
}

/** The numbers of completed jobs, of ended sessions, and of events that clients have received. */
export interface ChurnCounts {
  readonly jobs: number;
  readonly sessions: number;
  readonly streams: number;
}

interface Sources {
  readonly target: ChurnTarget;
  readonly queue: Queue;
  readonly client: Client;
  readonly site: SiteCalls;
}

const jobsAtOnce = 8;
/** The pause between two checks for completed jobs. */
const jobsEveryMs = 5;
/** The number of users who sign in at the same time. */
const signIns = 2;
const readsPerSession = 3;
const streams = 20;
/** The mean time after which a client of a stream connects again. */
const streamMs = 3_000;
const eventsPerCall = 10;
/** The pause between two calls of the plugin. The site accepts at most 20 calls per second. */
const callEveryMs = 50;

const counts = { jobs: 0, sessions: 0, streams: 0 };
const epoch = randomUUID();
const bootId = randomUUID();
let head = 0;
let signedIn = 0;
let sources: Sources | undefined;
let ending = new AbortController();
let parts: Promise<void>[] = [];

answerCalls({ prepare, begin, end, counts: () => counts });

async function prepare(target: ChurnTarget): Promise<void> {
  const { databaseUrl, key, url } = target;
  const boss = createPgBoss(
    loadConfig(testEnvironment(databaseUrl)),
    createLogger("bench", "silent"),
  );
  await boss.start();
  const client = new Client(databaseUrl);
  await client.connect();
  const site = new SiteCalls([`${url}/api/v1/plugin`], key);
  await sayHello(site, { game: "uo", bootId, epoch }, new AbortController().signal);
  sources = { target, queue: createQueue(boss), client, site };
}

function begin(): void {
  if (!sources) throw new Error("the churn is not prepared");
  const { target, site } = sources;
  ending = new AbortController();
  parts = [
    keepEnqueuing(sources),
    keepPosting(site),
    ...Array.from({ length: signIns }, () => keepSigningIn(target)),
    ...Array.from({ length: streams }, () => keepFollowing(target)),
  ];
}

/** Ends the churn. Resolves when all its jobs are completed and all its sessions have ended. */
async function end(): Promise<void> {
  ending.abort();
  await Promise.all(parts);
}

const isOver = (): boolean => ending.signal.aborted;

/** Keeps jobs waiting. They end at once, because no mail server is configured. */
async function keepEnqueuing({ queue, client }: Sources): Promise<void> {
  const waiting = new Set<string | null>();
  while (!isOver() || waiting.size > 0) {
    while (!isOver() && waiting.size < jobsAtOnce) {
      waiting.add(await queue.enqueue("auth.send-mail", { letter: "invite", inviteId: 1 }));
    }
    await sleep(jobsEveryMs);
    const { rows } = await client.query<{ id: string }>({
      name: "completed",
      text: `select id from pgboss.job
        where name = 'auth.send-mail' and id = any($1::uuid[]) and state = 'completed'`,
      values: [[...waiting]],
    });
    for (const { id } of rows) waiting.delete(id);
    counts.jobs += rows.length;
  }
}

/** Signs one user after another in and out. Each has an address of another network, as real users do. */
async function keepSigningIn({ url, users }: ChurnTarget): Promise<void> {
  while (!isOver()) {
    const user = users[signedIn++ % users.length] as TestUser;
    const from = { "x-forwarded-for": randomAddress() };
    const headers = { ...from, cookie: await logIn({ url }, user, from) };
    for (let read = 0; read < readsPerSession; read++) {
      await request(`${url}/api/v1/auth/me/account`, { headers });
    }
    await request(`${url}/api/v1/auth/logout`, { method: "POST", headers });
    counts.sessions += 1;
  }
}

const randomAddress = (): string =>
  Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 200)).join(".");

async function request(url: string, options: RequestInit): Promise<void> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
}

async function keepFollowing({ url }: ChurnTarget): Promise<void> {
  while (!isOver()) {
    // Clients do not connect at the same moment.
    const until = AbortSignal.timeout(Math.round(streamMs * (0.5 + Math.random())));
    const signal = AbortSignal.any([ending.signal, until]);
    await countEvents(`${url}/api/v1/public/shard/stream`, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
}

async function countEvents(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of response.body) {
    const lines = (unread + decoder.decode(chunk, { stream: true })).split("\n");
    unread = lines.pop() ?? "";
    counts.streams += lines.filter((line) => line.startsWith("id: ")).length;
  }
}

async function keepPosting(site: SiteCalls): Promise<void> {
  const { kind, payload } = event;
  while (!isOver()) {
    const events = Array.from({ length: eventsPerCall }, () => {
      head += 1;
      return { seq: head, kind, t: Date.now(), eventKey: randomUUID(), payload };
    });
    // The call is completed even if the churn ends meanwhile, so that no event is missing.
    await sendEvents(site, { epoch, bootId, events }, new AbortController().signal);
    await sleep(callEveryMs);
  }
}
