import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { AssetsImport } from "./assets.ts";
import { AtlasImport } from "./atlas.ts";
import { ClilocsImport } from "./clilocs.ts";
import { ImportHealth } from "./health.ts";
import { useImportJobs } from "./use-import-jobs.ts";

const everyMs = 15_000;

/** The imports of the shard's data in the order in which they are run, and the health of the market and the atlas. */
export function Imports(): VNode {
  const jobs = useImportJobs();
  const atlas = useApiRead("GET /admin/shard/atlas", {}, everyMs);
  return html`<h1>${words.pages.imports}</h1>
    <p><a href="/api/queues">${words.home.openQueues}</a></p>
    ${
      jobs.problem &&
      html`<${ProblemView} problem=${jobs.problem} />
        <button type="button" onClick=${() => void jobs.reload()}>${words.actions.tryAgain}</button>`
    }
    <${ImportHealth} atlas=${atlas} />
    <${ClilocsImport} jobs=${jobs} />
    <${AtlasImport} status=${atlas} jobs=${jobs} />
    <${AssetsImport} jobs=${jobs} />`;
}
