import htm from "htm";
import { h, type VNode } from "preact";

/** Creates elements from a template. Texts in a template are never parsed as markup. */
export const html = htm.bind(h) as (
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => VNode;
