import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type BridgeDocument, makeBridgeDocument } from "../../api/bridge/document/document.ts";
import { callAnchor } from "../../api/bridge/page/call-reference.ts";
import { kindAnchor } from "../../api/bridge/page/kind-reference.ts";
import { renderBridgePage } from "../../api/bridge/page/page.ts";
import { guidePath, guideSections } from "../../shared/platform/bridge/guide-sections.ts";
import { type ApiAnswer, requestUrl } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const document: BridgeDocument = makeBridgeDocument();
const games = Object.entries(document.games) as ["uo" | "rust", BridgeDocument["games"]["uo"]][];

let server: TestServer;
let page: ApiAnswer;
beforeAll(async () => {
  server = await startTestServer();
  page = await requestUrl(server.url + guidePath);
});
afterAll(() => server.stop());

const idsIn = (text: string): string[] =>
  [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

describe("the bridge document as JSON", () => {
  it("is served to everybody with the protocols, games, frames and plugin calls", async () => {
    const answered = await requestUrl(`${server.url}${guidePath}.json`);
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answered.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answered.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(Object.keys(answered.body as object)).toEqual([
      "protocols",
      "games",
      "frames",
      "plugin",
    ]);
  });

  it("lists the supported protocol versions", () => {
    expect(document.protocols).toEqual({ shard: [7, 8], survival: [13], plugin: 1 });
  });
});

describe("the bridge document as HTML", () => {
  it("is served to everybody without scripts and images", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).not.toMatch(/<script|<img|\son\w+=/i);
  });

  it("has each section, event kind and call once, each with a unique anchor", () => {
    const expected = [
      ...Object.keys(guideSections),
      ...games.flatMap(([game, { kinds, calls }]) => [
        ...kinds.map(({ name }) => kindAnchor(game, name)),
        ...calls.map(({ call }) => callAnchor(game, call)),
      ]),
    ];
    const ids = idsIn(page.text);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(expected));
  });

  it("links only to its own anchors and to pages of this site", () => {
    const links = [...page.text.matchAll(/ href="([^"]*)"/g)].map(([, to = ""]) => to);
    const ids = new Set(idsIn(page.text).map((id) => `#${id}`));
    const others = links.filter((to) => !ids.has(to));
    expect(others).toEqual(["/api/docs/favicon-32x32.png", "/api/docs/bridge.json", "/api/docs"]);
  });

  it("shows each example as JSON", () => {
    const shown = [...page.text.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(
      ([, text = ""]) => unescaped(text),
    );
    const examples = games.flatMap(([, { kinds, calls }]) => [
      ...kinds.map(({ example }) => example),
      ...calls.map(({ example }) => example.answer),
    ]);
    const missing = examples.filter((one) => !shown.includes(JSON.stringify(one, null, 2)));
    expect(missing).toEqual([]);
  });

  it("has content in every section", () => {
    const bodies = page.text.split("<h2 id=").slice(2);
    const empty = bodies.filter((body) => !/<(?:p|ul|table|pre|section)[ >]/.test(body));
    expect(empty).toEqual([]);
  });
});

const signs: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign);

/** Returns a copy of the value in which the attack replaces each text. */
function attacked(value: unknown, attack: string): unknown {
  if (typeof value === "string") return attack;
  if (Array.isArray(value)) return value.map((item) => attacked(item, attack));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, attacked(inner, attack)]),
  );
}

const structure = (text: string): string[] =>
  [...text.matchAll(/<\/?[a-z]\w*/g)].map(([tag]) => tag);

describe("the bridge document with hostile names", () => {
  it.each([
    "<script>alert(1)</script>",
    "</code></pre><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "'><b>x",
    "`<i>x</i>`",
  ])("shows %s as text and keeps its HTML structure", (attack) => {
    const harmless = attack.startsWith("`") ? "`x`" : "x";
    const render = (text: string) => renderBridgePage(attacked(document, text) as BridgeDocument);
    const hostile = render(attack);
    expect(structure(hostile)).toEqual(structure(render(harmless)));
    expect(hostile).not.toMatch(/<(?:script|img|b|i)\b|\sonmouseover="|\sonerror=alert\(1\)>/);
  });
});
