import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { parse } from "es-module-lexer/js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { en } from "../../console/words/en.ts";
import { errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { sendRaw } from "../support/http/raw-request.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const folder = path.join(import.meta.dirname, "../../console");
const modules = globSync("**/*.ts", { cwd: folder }).filter(
  // These two files are generated, and consist of data and types.
  (name) => !["api/operations.ts", "api/gates.ts"].includes(name),
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const get = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(server.url + address, { headers: { "accept-encoding": "identity", ...headers } });

describe("the document of the console", () => {
  it.each(["/console", "/console/", "/console/people/7", "/console/no/such/page"])(
    "is served at the path %s, and loads the script that shows the page of this path",
    async (address) => {
      const answer = await get(address);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(await answer.text()).toContain('<script type="module" src="/console/files/app.ts">');
    },
  );

  it("allows no inline script, no inline style and no request to another server", async () => {
    const { headers } = await get("/console");
    expect(headers.get("content-security-policy")?.split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  it("names every module that the first page needs, each of which exists", async () => {
    const text = await (await get("/console")).text();
    const preloads = [...text.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, to]) => to ?? "");
    expect(preloads).toContain("/console/files/lib/preact.js");
    expect(preloads).toContain("/console/files/shell/shell.ts");
    expect(preloads).not.toContain("/console/files/pages/home/home.ts");
    const answers = await Promise.all(preloads.map((to) => get(to)));
    expect(answers.map(({ status }) => status)).toEqual(preloads.map(() => 200));
  });
});

describe("a module of the console", () => {
  it("is JavaScript without types, and imports only files of the console that exist", async () => {
    const statuses = new Map<string, number>();
    const addresses = modules.map((name) => `/console/files/${name.replaceAll(path.sep, "/")}`);
    for (const address of addresses) {
      const answer = await get(address);
      statuses.set(address, answer.status);
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      const text = await answer.text();
      expect(text).not.toMatch(/^import type|^(?:export )?interface /m);
      const [imports] = parse(text);
      for (const { n: target = "" } of imports) {
        const { pathname } = new URL(target, server.url + address);
        statuses.set(pathname, statuses.get(pathname) ?? (await get(pathname)).status);
        expect(`${address}: ${target}`).toMatch(/: (?:\.{1,2}|\/console\/files)\//);
      }
    }
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
  });

  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ])("is sent in the encoding %s if the browser accepts it", async (accepted, encoding) => {
    const answer = await get("/console/files/app.ts", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(await answer.text()).toContain("loadConsoleTexts");
  });

  it("is not sent again while it is unchanged", async () => {
    const file = { method: "GET", path: "/console/files/app.ts" };
    const { headers } = await sendRaw(server, file);
    expect(headers["cache-control"]).toBe("no-cache");
    const etag = headers.etag ?? "";
    const again = await sendRaw(server, { ...file, headers: { "if-none-match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const other = await sendRaw(server, { ...file, headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });
});

describe("a file that the console does not have", () => {
  it.each([
    "/console/files/",
    "/console/files/nowhere.ts",
    "/console/files/tsconfig.json",
    "/console/files/index.html",
    "/console/files/..%2f..%2fpackage.json",
    "/console/files/..%2fapi%2fapp.ts",
    "/console/files/lib/express.js",
    "/console/files/__proto__",
  ])("is 404: %s", async (address) => {
    const answer = await get(address);
    expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found" }]);
  });

  it("is 404, and so is a PUT request for a file that exists", async () => {
    const answer = await fetch(`${server.url}/console/files/app.ts`, { method: "PUT" });
    expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found" }]);
  });
});

describe("the console that is switched off", () => {
  it("is 404 at its addresses, and the API works", async () => {
    const off = await startTestServer({ environment: { CONSOLE: "off" } });
    try {
      const addresses = ["/console", "/console/people", "/console/files/app.ts"];
      const answers = await Promise.all(addresses.map((address) => fetch(off.url + address)));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(statusAndBodyOf(await callRoute(off, "GET /auth/me"))).toEqual([
        401,
        { error: "Not authenticated" },
      ]);
    } finally {
      await off.stop();
    }
  });
});

describe("the size of the console", () => {
  it("is at most 120 kB for the first page", async () => {
    const text = await (await get("/console")).text();
    const first = [...text.matchAll(/(?:href|src)="(\/console\/files\/[^"]+)"/g)];
    const sizes = await Promise.all(
      first.map(async ([, to = ""]) => {
        const answer = await fetch(server.url + to, { headers: { "accept-encoding": "br" } });
        return Number(answer.headers.get("content-length") ?? Number.NaN);
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
  });
});

describe("the texts of the console", () => {
  it("are all in the language files, and no page contains a literal text", () => {
    const faults = modules
      .filter((name) => !name.startsWith("words"))
      .flatMap((name) =>
        [...readFileSync(path.join(folder, name), "utf8").matchAll(/html`[^`]*`/g)]
          .flatMap(([template]) => [...template.matchAll(/>\s*([A-Za-z][^<>${}]*[a-z])\s*</g)])
          .map(([, text]) => `${name}: ${text}`),
      );
    expect(faults).toEqual([]);
  });

  it("advise only about error codes that exist", () => {
    // Check the English texts only: the compiler requires the other languages to have the same keys.
    const codes = Object.keys(en.problems.advice);
    expect(codes.filter((code) => !(code in errorCodes))).toEqual([]);
  });
});
