import { render } from "preact";

import { html } from "./parts/html.ts";
import { Shell } from "./shell/shell.ts";
import { loadConsoleTexts } from "./words/words.ts";

await loadConsoleTexts(navigator.languages);
const root = document.getElementById("console");
if (root) render(html`<${Shell} />`, root);
