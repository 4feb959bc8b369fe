import { render } from "preact";

import { html } from "./parts/html.ts";
import { Shell } from "./shell/shell.ts";
import { loadWords } from "./words/words.ts";

await loadWords(navigator.languages);
const root = document.getElementById("console");
if (root) render(html`<${Shell} />`, root);
