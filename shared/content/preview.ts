import type { Context } from "../context.ts";
import { renderMarkdown } from "./markdown/render.ts";
import { textSite } from "./text-site.ts";

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
  context: Pick<Context, "models" | "config">,
): Promise<Preview> {
  const { html } = await renderMarkdown(source, textSite(context));
  return { html };
}
