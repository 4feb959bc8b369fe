import type { Models } from "../../models/index.ts";
import { renderMarkdown } from "./markdown/render.ts";
import { slugFinder } from "./page-slugs.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     Preview:
 *       type: object
 *       additionalProperties: false
 *       required: [html]
 *       properties:
 *         html: { type: string, description: Safe to be shown., example: <p>Ask for the way.</p> }
 */
export interface Preview {
  readonly html: string;
}

/** What a text will be shown as, once it is saved. */
export async function previewMarkdown(
  source: string,
  { models }: { readonly models: Models },
): Promise<Preview> {
  const { html } = await renderMarkdown(source, slugFinder(models));
  return { html };
}
