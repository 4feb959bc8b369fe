import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { describeApi } from "../../api/description/openapi.ts";
import { findRevisionField } from "../../api/http/based-on.ts";
import { listRevisionCheckLines } from "../../api/http/manifest.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { based, type BasedOnObject, notBased, worldSpec } from "./based-on-routes.ts";

const nameOf = ({ method, path: url }: Pick<Route, "method" | "path">): string =>
  `${method.toUpperCase()} ${url.slice("/api/v1".length)}`;

const named = new Map(routes.map((route) => [nameOf(route), route]));
const ownBase = routes.filter(({ basedOn }) => basedOn && "isOwn" in basedOn).map(nameOf);
const declared = routes.filter(({ basedOn }) => basedOn).map(nameOf);

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const ask = (route: string, body?: object): Promise<ApiAnswer> =>
  callRoute(server, route, { headers: admin.headers, ...(body && { body }) });

describe("the list of routes with a base revision", () => {
  it("equals the frozen list", () => {
    const file = path.join(import.meta.dirname, "../frozen/based-on-routes.txt");
    expect(listRevisionCheckLines(routes)).toEqual(readFileSync(file, "utf8").trim().split("\n"));
  });

  it("has a test case for each route", () => {
    expect([...Object.keys(based), ...ownBase].toSorted()).toEqual(declared.toSorted());
  });

  it("contains every staff write except those that are exempt with a reason", () => {
    const plain = routes
      .filter(({ method, path: url }) => method !== "get" && url.startsWith("/api/v1/admin/"))
      .filter(({ basedOn }) => !basedOn)
      .map(nameOf);
    expect(Object.values(notBased).flat().toSorted()).toEqual(plain.toSorted());
  });

  it("matches the API description in field name, 409 response and condition", () => {
    const described = {
      core: describeApi(routes, "core"),
      additive: describeApi(routes, "additive"),
    };
    for (const { path: url, method, set, basedOn } of routes) {
      const at = described[set].paths[url.replaceAll(/:([A-Za-z]+)/g, "{$1}")];
      const operation = at?.[method] as
        | { readonly responses: object; readonly description: string; "x-based-on"?: string }
        | undefined;
      if (!operation) continue;
      expect([url, operation["x-based-on"]]).toEqual([url, basedOn?.when]);
      if (!basedOn || "isOwn" in basedOn) continue;
      expect(operation.description).toContain(`\`${findRevisionField(basedOn)}\``);
      expect(Object.keys(operation.responses)).toContain("409");
    }
  });
});

describe("a request whose base revision another administrator has replaced", () => {
  const codeOf = ({ headers }: ApiAnswer) => headers.get("x-error-code");

  const fieldOn = (name: string): string => findRevisionField(named.get(name)?.basedOn ?? {});

  const send = ({ route, body }: BasedOnObject, field: string, revision: number | string) =>
    ask(route, { ...body, [field]: revision });

  it.each(Object.keys(based))(
    "is answered 409 with the current state, and succeeds when it names that state's revision: %s",
    async (name) => {
      const thing = await based[name]?.({ server, admin });
      if (!thing) throw new Error(`nothing to act on: ${name}`);
      const field = fieldOn(name);
      const before = await thing.read();
      await thing.change();
      const present = await thing.read();
      expect(present).not.toEqual(before);
      const refused = await send(thing, field, before);
      expect([refused.status, codeOf(refused)]).toEqual([409, "stale_revision"]);
      const { current } = refused.body as { current: Readonly<Record<string, unknown>> };
      expect(Object.values(current)).toContain(present);
      expect(await thing.read()).toEqual(present);
      const { status = 200 } = thing.answered ?? {};
      const taken = await send(thing, field, present);
      expect([taken.text, taken.status]).toEqual([taken.text, status]);
    },
  );

  it("is answered with a JSON pointer and a code for an event, and with a plain message for a post", async () => {
    const event = await based["POST /admin/events/:id/publish"]?.({ server, admin });
    const post = await based["PUT /admin/posts/:id"]?.({ server, admin });
    if (!event || !post) throw new Error("nothing to act on");
    const message = "The change is based on revision 7, and 1 is the newest";
    const { body: read } = await ask(event.route.replace("POST", "GET").replace("/publish", ""));
    expect(statusAndBodyOf(await send(event, "basedOn", 7))).toEqual([
      409,
      {
        errors: [{ path: "/basedOn", code: "state", message }],
        current: (read as { event: object }).event,
      },
    ]);
    const { body: current } = await ask(post.route.replace("PUT", "GET"));
    expect(statusAndBodyOf(await send(post, "base_revision", 7))).toEqual([
      409,
      { error: message, current },
    ]);
  });

  it.each([
    [
      "POST /admin/events/:id/publish",
      "basedOn",
      ["5f70bf18a086007016e948b04aed3b82", -1, 1.5, null, true],
    ],
    ["PUT /admin/survival/voice", "basedOn", [1, "", "abc", null, {}]],
    ["PUT /admin/posts/:id", "base_revision", ["1", -1, null]],
  ])("is answered 400 if its base revision is malformed: %s", async (name, field, values) => {
    const thing = await based[name]?.({ server, admin });
    if (!thing) throw new Error(`nothing to act on: ${name}`);
    for (const value of values) {
      const answered = await ask(thing.route, { ...thing.body, [field]: value });
      expect([value, answered.status]).toEqual([value, 400]);
      expect(answered.text).toContain(field);
    }
  });
});

/** Kinds of pages whose routes use slugs. Another page may take over a slug, and `basedOn` must detect this. */
const slugged = [
  ["wiki", { title: "The bank", body: "As it was read." }],
  ["pages", { title: "The rules", body: "As they were read." }],
] as const;

describe.each(slugged)(
  "a change of /admin/%s by a slug that now names another page",
  (kind, text) => {
    const list = `/admin/${kind}`;
    const write = async (route: string, body?: object) => {
      const answered = await ask(route, body);
      expect([answered.text, answered.status < 300]).toEqual([answered.text, true]);
      return answered.body as { readonly slug: string; readonly revision: number };
    };
    const other = { title: "Another page", body: "Nobody has read this." };

    const ways: Readonly<Record<string, (slug: string, revision: number) => Promise<unknown>>> = {
      "the page was deleted and another one created": async (slug) => {
        await write(`DELETE ${list}/${slug}`);
        await write(`POST ${list}`, { ...other, slug });
      },
      "the page was renamed and another one created": async (slug, base_revision) => {
        await write(`PUT ${list}/${slug}`, { slug: `${slug}-before`, base_revision });
        await write(`POST ${list}`, { ...other, slug });
      },
      "the page was deleted and another one took its slug": async (slug) => {
        await write(`DELETE ${list}/${slug}`);
        const { slug: from, revision } = await write(`POST ${list}`, other);
        await write(`PUT ${list}/${from}`, { slug, base_revision: revision });
      },
      "the page and a second one were deleted and a third one created": async (slug) => {
        await write(`DELETE ${list}/${slug}`);
        await write(`POST ${list}`, { ...other, slug });
        await write(`DELETE ${list}/${slug}`);
        await write(`POST ${list}`, { ...other, slug });
      },
    };

    it.each(Object.entries(ways))("is answered 409 if %s", async (_what, replace) => {
      const { slug, revision } = await write(`POST ${list}`, text);
      await replace(slug, revision);
      const { body: present } = await ask(`GET ${list}/${slug}`);
      for (const method of ["PUT", "DELETE"]) {
        const refused = await ask(`${method} ${list}/${slug}`, {
          ...(method === "PUT" && { body: "Mine." }),
          base_revision: revision,
        });
        expect([method, ...statusAndBodyOf(refused)]).toEqual([
          method,
          409,
          { error: expect.stringContaining("is the newest"), current: present },
        ]);
      }
      const { revision: newest } = present as { revision: number };
      expect(
        (await ask(`PUT ${list}/${slug}`, { body: "Mine.", base_revision: newest })).status,
      ).toBe(200);
      await write(`DELETE ${list}/${slug}`);
    });
  },
);

describe("an event whose steps change the game world", () => {
  const required = (message: string) => [
    400,
    { errors: [{ path: "/basedOn", code: "required", message }] },
  ];
  const isRequired = required("basedOn is required: steps of the event change the world of a game");

  const written = async (spec: object) => {
    const { body } = await ask("POST /admin/events", { title: `Event ${Math.random()}`, spec });
    return `/admin/events/${(body as { event: { id: number } }).event.id}`;
  };

  it("is published, verified and started only with a base revision", async () => {
    const at = await written(worldSpec);
    expect(statusAndBodyOf(await ask(`POST ${at}/publish`))).toEqual(isRequired);
    expect((await ask(`POST ${at}/publish`, { basedOn: 1 })).status).toBe(200);
    expect(statusAndBodyOf(await ask(`POST ${at}/verify`))).toEqual(isRequired);
    expect((await ask(`POST ${at}/verify`, { target: "draft" })).status).toBe(200);
    expect((await ask(`POST ${at}/verify`, { basedOn: 1 })).status).toBe(200);
    expect(statusAndBodyOf(await ask(`POST ${at}/runs`, {}))).toEqual(isRequired);
    expect((await ask(`POST ${at}/runs`, { rehearsal: true })).status).toBe(201);
    expect((await ask(`POST ${at}/runs`, { basedOn: 1 })).status).toBe(201);
  });

  it("is not started with the revision of an unpublished draft", async () => {
    const at = await written(worldSpec);
    await ask(`POST ${at}/publish`, { basedOn: 1 });
    await ask(`PUT ${at}`, { summary: "Another" });
    const { body } = await ask(`GET ${at}`);
    expect(body).toMatchObject({ event: { revision: 2, currentVersionRevision: 1 } });
    expect((await ask(`POST ${at}/runs`, { basedOn: 2 })).status).toBe(409);
    expect((await ask(`POST ${at}/runs`, { basedOn: 1 })).status).toBe(201);
  });

  it("needs no base revision once its world-changing steps are removed", async () => {
    const [phase] = worldSpec.phases;
    const at = await written({ phases: [{ ...phase, steps: phase?.steps.slice(1) }] });
    for (const [route, status] of [
      ["publish", 200],
      ["verify", 200],
      ["runs", 201],
    ] as const) {
      expect((await ask(`POST ${at}/${route}`)).status).toBe(status);
    }
  });
});
