import { createHash } from "node:crypto";

import type { Config } from "../../platform/config/config.ts";
import { type DocumentName, htmlOf, type Rendered, rendererVersion } from "./render.ts";

/** The configuration that rendered texts follow. */
export type RenderRules = Pick<
  Config,
  "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS" | "CONTENT_IMAGE_PATHS" | "CONTENT_LINK_SCHEMES"
>;

/** A digest of the rules, by which a text that was rendered under other ones is found. */
export function digestRules(config: RenderRules): string {
  const { PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES } = config;
  const rules = [PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES];
  return createHash("sha256").update(JSON.stringify(rules)).digest("base64url").slice(0, 16);
}

/** What every kind of text stores of its rendering. */
export const renderedColumns = (rendered: Rendered, name: DocumentName, config: RenderRules) => ({
  bodyHtml: htmlOf(rendered, name),
  renderer: rendererVersion,
  renderRules: digestRules(config),
});
