import markdownIt from "markdown-it";

import {
  type GuideSection,
  guideSections,
} from "../../../shared/platform/bridge/guide-sections.ts";
import type { BridgeDocument } from "../document/document.ts";
import { callReference } from "./call-reference.ts";
import { commandGuide } from "./command-guide.ts";
import { eventGuide } from "./event-guide.ts";
import { Html, html } from "./html.ts";
import { kindReference } from "./kind-reference.ts";
import { pluginGuide } from "./plugin-guide.ts";
import {
  codeTable,
  familyTable,
  frameReference,
  limitTable,
  pluginReference,
  refusalTable,
  nameListTable,
} from "./plugin-reference.ts";
import { referenceGuide } from "./reference-guide.ts";
import { sidecarGuide } from "./sidecar-guide.ts";

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; }
h2 { border-bottom: 1px solid; margin-top: 3rem; }
h3 { margin-top: 2rem; }
table { border-collapse: collapse; display: block; margin: 1rem 0; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
pre { background: #8882; overflow-x: auto; padding: 0.75rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
.facts { font-style: italic; }
`;

/** The renderer of the guide's texts. HTML in them is shown as text. */
const markdown = markdownIt({ html: false });

type Tables = { readonly [Section in GuideSection]?: Html };

/** The tables that the page shows after a section's text. */
const tablesOf = ({ games, plugin, frames }: BridgeDocument): Tables => ({
  calls: limitTable(plugin),
  states: html`<p>Families of a shard, with the kinds that report their states:</p>
${familyTable(games.uo.families)}
<p>Families of a survival server, with the kinds that report their states:</p>
${familyTable(games.rust.families)}`,
  commands: refusalTable(),
  refusals: codeTable(plugin),
  frames: frameReference(frames),
  "plugin-calls": pluginReference(plugin),
  "uo-kinds": kindReference(games.uo, "uo"),
  "uo-calls": callReference(games.uo, "uo"),
  "rust-kinds": html`${nameListTable(games.rust.words)}
${kindReference(games.rust, "rust")}`,
  "rust-calls": callReference(games.rust, "rust"),
});

const prose: Readonly<Record<GuideSection, string>> = {
  ...pluginGuide,
  ...eventGuide,
  ...commandGuide,
  ...sidecarGuide,
  ...referenceGuide,
};

/** Renders the page for authors of plugins and sidecars. It needs no script. */
export function renderBridgePage(document: BridgeDocument): string {
  const tables = tablesOf(document);
  const sections = Object.entries(guideSections) as [GuideSection, string][];
  const { shard, survival, plugin } = document.protocols;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Write a plugin or a sidecar</title>
<link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
<style>${new Html(style)}</style>
</head>
<body>
<h1>Write a plugin or a sidecar</h1>
<p>For people who write a program that links a game server to this site. By the end of this page,
you can write such a program without reading anything else.</p>
<p>Protocol versions that this site supports: ${plugin} for plugins, ${shard.join(" and ")} for
sidecars of shards, and ${survival.join(" and ")} for sidecars of survival servers.
<a href="/api/docs/bridge.json">This reference as JSON</a>.
<a href="/api/docs">The API for clients</a>.</p>
<nav>
<h2 id="contents">Contents</h2>
<ol>
${sections.map(
  ([anchor, title]) => html`<li><a href="#${anchor}">${title}</a></li>
`,
)}</ol>
</nav>
<main>
${sections.map(
  ([anchor, title]) => html`<section>
<h2 id="${anchor}">${title}</h2>
${new Html(markdown.render(prose[anchor]))}
${tables[anchor] ?? ""}
</section>
`,
)}</main>
</body>
</html>
`.text;
}
