import { createRequire } from "node:module";

import type * as transliteration from "transliteration";

const require = createRequire(import.meta.url);

// Its tables take five megabytes, and most processes never need them. Those that do cannot wait: a
// field is checked by it.
const load = () => require("transliteration") as typeof transliteration;

/** A text of any script in Latin letters. */
export const transliterate = (text: string): string => load().transliterate(text);

/** The same as words of small letters and digits, with hyphens between them. */
export const slugify = (text: string): string =>
  load().slugify(text, { allowedChars: "a-zA-Z0-9" });
