import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { callRoute } from "../support/http/call.ts";
import { type AdminRaces, startAdminRaces } from "../support/races/admin-races.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import { countStatuses, repeatRace } from "../support/races/race.ts";
import { worldSpec } from "./based-on-routes.ts";

let races: AdminRaces;
beforeAll(async () => {
  races = await startAdminRaces(2);
});
afterAll(() => races.stop());

const ask = async <T>(route: string, body?: object): Promise<T> => {
  const headers = races.headersOf(0);
  const answer = await callRoute(races.server, route, { headers, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${route}: ${answer.text}`);
  return answer.body as T;
};

/** Sends two requests at the same time to different processes. The rounds alternate their order. */
async function race(
  round: number,
  one: { readonly route: string; readonly body: object },
  other: { readonly route: string; readonly body: object },
) {
  const sent = round % 2 === 0 ? [one, other] : [other, one];
  const answers = await races.track.run(
    sent.map((request, index) => ({ ...request, headers: races.headersOf(index) })),
  );
  const at = round % 2 === 0 ? 0 : 1;
  return { one: answers[at], other: answers[1 - at] };
}

const countsOf = (...answers: readonly (RacedAnswer | undefined)[]) =>
  countStatuses(answers.filter((answer) => answer !== undefined));

interface EventRead {
  readonly event: {
    readonly id: number;
    readonly title: string;
    readonly revision: number;
    readonly currentVersion: number | null;
    readonly currentVersionRevision: number | null;
  };
}

const written = async (round: number, what: string): Promise<string> => {
  const title = `${what} ${round} as it was read`;
  const { event } = await ask<EventRead>("POST /admin/events", { title, spec: worldSpec });
  return `/admin/events/${event.id}`;
};

describe("a write with a base revision that races with a change, in two processes", () => {
  it(
    "publishes the event revision with the given number, or answers 409",
    repeatRace(async (round) => {
      const at = await written(round, "Published");
      const { one: published, other: changed } = await race(
        round,
        { route: `POST ${at}/publish`, body: { basedOn: 1 } },
        { route: `PUT ${at}`, body: { title: `Published ${round} as nobody read it` } },
      );
      expect(changed?.status).toBe(200);
      const { event } = await ask<EventRead>(`GET ${at}`);
      expect(event.revision).toBe(2);
      const { EventVersion } = races.server.context.models;
      const versions = await EventVersion.findAll({ where: { definitionId: event.id } });
      const made = versions.map(({ title, revision }) => ({ title, revision }));
      expect([published?.status, made]).toEqual(
        published?.status === 200
          ? [200, [{ title: `Published ${round} as it was read`, revision: 1 }]]
          : [409, []],
      );
    }, 20),
  );

  it(
    "starts the event version with the given revision, or answers 409",
    repeatRace(async (round) => {
      const at = await written(round, "Started");
      await ask(`POST ${at}/publish`, { basedOn: 1 });
      await ask(`PUT ${at}`, { title: `Started ${round} anew` });
      const { one: started, other: published } = await race(
        round,
        { route: `POST ${at}/runs`, body: { basedOn: 1, scheduledFor: null } },
        { route: `POST ${at}/publish`, body: { basedOn: 2 } },
      );
      expect(published?.status).toBe(200);
      // A new version also applies to runs that are already waiting. So a run that was created
      // first gets the new version, too.
      expect(started).toMatchObject(
        started?.status === 201
          ? { body: { run: { version: 1 } } }
          : { status: 409, body: { current: { revision: 2 } } },
      );
    }, 20),
  );

  it(
    "restores a wiki page only over the given revision, or answers 409",
    repeatRace(async (round) => {
      const { slug } = await ask<{ slug: string }>("POST /admin/wiki", {
        title: `Raced ${round}`,
        body: "First",
      });
      const at = `/admin/wiki/${slug}`;
      await ask(`PUT ${at}`, { body: "Second", base_revision: 1 });
      const { one: restored, other: changed } = await race(
        round,
        { route: `POST ${at}/revisions/1/restore`, body: { base_revision: 2 } },
        { route: `PUT ${at}`, body: { body: "Third", base_revision: 2 } },
      );
      expect(countsOf(restored, changed)).toEqual({ 200: 1, 409: 1 });
      const page = await ask<{ revision: number; body: string }>(`GET ${at}`);
      const isRestored = restored?.status === 200;
      expect(page).toMatchObject({ revision: 3, body: isRestored ? "First" : "Third" });
    }, 20),
  );

  it(
    "changes the page with the given revision, and never another page that takes the slug",
    repeatRace(async (round) => {
      const text = { title: `Left ${round}`, body: "As it was read" };
      const { slug } = await ask<{ slug: string }>("POST /admin/pages", text);
      const at = `/admin/pages/${slug}`;
      const { one: changed, other: deleted } = await race(
        round,
        { route: `PUT ${at}`, body: { body: "Mine", base_revision: 1 } },
        { route: `DELETE ${at}`, body: { base_revision: 1 } },
      );
      expect(countsOf(changed, deleted)[200]).toBe(1);
      if (deleted?.status !== 200) return;
      const created = { title: `Left ${round}`, body: "Theirs", slug };
      const { one: late, other: made } = await race(
        round,
        { route: `PUT ${at}`, body: { body: "Mine", base_revision: 1 } },
        { route: "POST /admin/pages", body: created },
      );
      expect([made?.status, [404, 409].includes(late?.status ?? 0)]).toEqual([201, true]);
      expect(await ask(`GET ${at}`)).toMatchObject({ body: "Theirs" });
    }, 20),
  );

  it(
    "advances a run by one phase if two requests name the same phase as their base",
    repeatRace(async (round) => {
      const phases = ["first", "second", "third"].map((key) => ({
        key,
        title: key,
        steps: [],
        advance: { kind: "manual" },
      }));
      const title = `Advanced ${round}`;
      const spec = { phases };
      const { event } = await ask<EventRead>("POST /admin/events", { title, spec });
      await ask(`POST /admin/events/${event.id}/publish`);
      const { EventDefinition, EventRun } = races.server.context.models;
      const definition = await EventDefinition.findByPk(event.id, { rejectOnEmpty: true });
      const { id } = await EventRun.create({
        definitionId: event.id,
        versionId: definition.currentVersionId ?? 0,
        scope: "site",
        status: "paused",
        currentPhase: "first",
        startedAt: new Date(),
      });
      const at = `/admin/events/runs/${id}`;
      const { run } = await ask<{ run: { revision: string } }>(`GET ${at}`);
      const request = { route: `POST ${at}/advance`, body: { basedOn: run.revision } };
      const { one, other } = await race(round, request, request);
      expect(countsOf(one, other)).toEqual({ 200: 1, 409: 1 });
      expect(await ask(`GET ${at}`)).toMatchObject({ run: { currentPhase: "second" } });
    }, 20),
  );
});
