import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { UserAgent } from "../support/push/user-agent.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import { type HookSite, startHookSite } from "../support/webhooks/hook-site.ts";

let site: HookSite;
let track: RaceServers;
beforeAll(async () => {
  site = await startHookSite({ environment: { PUSH_ALLOWED_ORIGINS: "https://push.test" } });
  site.names.say("push.test", ["127.0.0.1"]);
  track = await RaceServers.start(site.server.database, site.environment);
});
afterAll(async () => {
  await track.stop();
  await site.stop();
});

/** Sends a request to each process. @returns status and body of each answer */
const saidInEach = async (request: Race) =>
  (await track.inEach(request)).map(({ status, body }) => [status, body]);

/** Lists the objects in each process. @returns the listed ids by process */
async function idsInEach(route: string, name: string, { headers }: Pick<SignedIn, "headers">) {
  const answers = await track.inEach({ route: `GET ${route}`, headers });
  return answers.map(({ body }) => {
    const listed = (Array.isArray(body) ? body : (body as Record<string, unknown>)[name]) as {
      id: number;
    }[];
    return listed.map(({ id }) => id).toSorted((one, other) => one - other);
  });
}

const codeOfRefusal = async ({ route, ...options }: Race): Promise<string | null> =>
  (await callRoute(site.server, route, options)).headers.get("x-error-code");

const idsOf = (answers: readonly { readonly body: unknown }[], name?: string): number[] =>
  answers
    .map(({ body }) => (name ? (body as Record<string, unknown>)[name] : body) as { id: number })
    .map(({ id }) => id)
    .toSorted((one, other) => one - other);

describe("concurrent requests through two processes", () => {
  const { keys } = new UserAgent();
  const register = ({ headers }: SignedIn, name: string): Race => ({
    route: "POST /auth/me/devices",
    headers,
    body: { endpoint: `https://push.test/send/${name}`, keys },
  });

  it(
    "register 20 of 30 devices of a user, and a known device again",
    repeatRace(async (round) => {
      const someone = await signIn(site.server);
      const names = makeList(30, (index) => `${round}-${index}`);
      const answers = await track.run(names.map((name) => register(someone, name)));
      expect(countStatuses(answers)).toEqual({ 201: 20, 409: 10 });
      const listed = await idsInEach("/auth/me/devices", "devices", someone);
      expect(listed).toEqual(makeList(2, () => idsOf(successfulAnswersOf(answers))));
      const known = names[answers.findIndex(({ status }) => status === 201)] ?? "";
      expect(countStatuses(await track.inEach(register(someone, known)))).toEqual({ 200: 2 });
      const another = register(someone, `${round}-more`);
      const refused = [409, { error: "Too many devices" }];
      expect(await saidInEach(another)).toEqual([refused, refused]);
      expect(await codeOfRefusal(another)).toBe("device_limit_reached");
      const odd = { ...another, body: { endpoint: "http://push.test/", keys } };
      expect(countStatuses(await track.inEach(odd))).toEqual({ 400: 2 });
    }),
  );

  it(
    "register a device once if all of them register the same device",
    repeatRace(async (round) => {
      const someone = await signIn(site.server);
      const answers = await track.run(makeList(30, () => register(someone, `${round}-same`)));
      expect(countStatuses(answers)).toEqual({ 200: 29, 201: 1 });
      const [id] = idsOf(answers);
      expect(idsOf(answers)).toEqual(makeList(30, () => id));
      expect(await idsInEach("/auth/me/devices", "devices", someone)).toEqual([[id], [id]]);
    }),
  );

  const searches = "/player/market/searches";

  it(
    "save 20 of 30 market searches of a user",
    repeatRace(async () => {
      const player = await signIn(site.server);
      const { headers } = player;
      const body = { name: "Wish", query: { q: "katana", maxPrice: 5_000 } };
      const save = { route: `POST ${searches}`, headers, body };
      const answers = await track.run(makeList(30, () => save));
      expect(countStatuses(answers)).toEqual({ 201: 20, 409: 10 });
      const made = idsOf(successfulAnswersOf(answers), "search");
      expect(await idsInEach(searches, "searches", player)).toEqual([made, made]);
      const refused = [409, { error: "Too many saved searches" }];
      expect(await saidInEach(save)).toEqual([refused, refused]);
      // A removal frees one place under the cap.
      const removal = { route: `DELETE ${searches}/${made[0]}`, headers };
      expect(countStatuses(await track.run(makeList(10, () => removal)))).toEqual({
        200: 1,
        404: 9,
      });
      expect(countStatuses(await track.run(makeList(10, () => save)))).toEqual({ 201: 1, 409: 9 });
    }),
  );

  it(
    "remove a search once if some requests change it and others remove it, and the search stays removed",
    repeatRace(async () => {
      const player = await signIn(site.server);
      const { headers } = player;
      const body = { name: "Wish", query: { q: "katana" } };
      const made = await callRoute(site.server, `POST ${searches}`, { headers, body });
      const { id } = (made.body as { search: { id: number } }).search;
      const raced = await track.run(
        makeList(10, (at) => ({
          route: `${at % 4 < 2 ? "PUT" : "DELETE"} ${searches}/${id}`,
          headers,
          ...(at % 4 < 2 && { body: { enabled: false } }),
        })),
      );
      expect(raced.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
      const removed = raced.filter(({ status }, at) => at % 4 >= 2 && status === 200);
      expect(removed.map((answer) => answer.body)).toEqual([{ id }]);
      expect(await idsInEach(searches, "searches", player)).toEqual([[], []]);
    }),
  );

  it(
    "create ten of 30 webhooks",
    repeatRace(async () => {
      await site.server.context.models.Webhook.destroy({ where: {} });
      const { headers } = site.admin;
      const { url } = site.address();
      const make = {
        route: "POST /admin/webhooks",
        headers,
        body: { url, streams: ["news.post"] },
      };
      const answers = await track.run(makeList(30, () => make));
      expect(countStatuses(answers)).toEqual({ 201: 10, 409: 20 });
      const made = idsOf(successfulAnswersOf(answers), "webhook");
      expect(await idsInEach("/admin/webhooks", "webhooks", site.admin)).toEqual([made, made]);
      const refused = [409, { error: "There are already 10 webhooks: delete one first" }];
      expect(await saidInEach(make)).toEqual([refused, refused]);
      expect(await codeOfRefusal(make)).toBe("webhook_limit_reached");
    }),
  );
});
