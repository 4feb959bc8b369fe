import { guidePath } from "../../shared/platform/bridge/guide-sections.ts";
import { alreadySentAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { pageHeaders } from "../http/security-headers.ts";
import { makeBridgeDocument } from "./document/document.ts";
import { renderBridgePage } from "./page/page.ts";

const common = {
  method: "get",
  gate: "public",
  set: "additive",
  tag: "Site",
  undocumented: "a description of other interfaces, in addition to the API",
} as const;

const caching = { "Cache-Control": "public, max-age=300" } as const;

interface Texts {
  readonly document: string;
  readonly page: string;
}

let made: Texts | undefined;

/** Makes the texts once, at the first request, because the catalogs do not change while a process runs. */
function texts(): Texts {
  if (made) return made;
  const document = makeBridgeDocument();
  made = { document: JSON.stringify(document), page: renderBridgePage(document) };
  return made;
}

export const bridgeDocsRoutes = [
  defineRoute({
    ...common,
    path: `${guidePath}.json`,
    summary: "The protocols of plugins and sidecars, for programs",
    answers: { 200: "BridgeDescription" },
    handle: ({ response }) => {
      response.set(caching).type("json").send(texts().document);
      return alreadySentAnswer;
    },
  }),
  defineRoute({
    ...common,
    path: guidePath,
    summary: "The protocols of plugins and sidecars, for people",
    answers: { 200: { mediaType: "text/html" } },
    handle: ({ response }) => {
      response
        .set({ ...pageHeaders, ...caching })
        .type("html")
        .send(texts().page);
      return alreadySentAnswer;
    },
  }),
];
