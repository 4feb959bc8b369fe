import type { Context } from "../platform/context.ts";
import type { RemovedPart } from "./markdown/removed-parts.ts";
import { htmlOf, renderMarkdown } from "./markdown/render.ts";
import { textSite } from "./text-site.ts";

export interface Preview {
  readonly html: string;
  readonly removed: readonly RemovedPart[];
}

/** What a text will be shown as, once it is saved. */
export async function previewMarkdown(
  source: string,
  context: Pick<Context, "models" | "config">,
): Promise<Preview> {
  const rendered = await renderMarkdown(source, textSite(context));
  return { html: htmlOf(rendered, "preview"), removed: rendered.removed };
}
