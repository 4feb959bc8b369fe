import sanitizeHtml, { type Attributes, type Tag } from "sanitize-html";

import { type ImageRules, isImageSource } from "../../net/image-address.ts";
import { isLinkable, isOutside } from "./addresses.ts";

/** The second line of defence: only what our own markdown makes comes through. */
export const sanitize = (html: string, images: ImageRules): string =>
  sanitizeHtml(html, {
    ...allowed,
    exclusiveFilter: ({ tag, attribs }) =>
      tag === "img" && !isImageSource(attribs["src"] ?? "", images),
  });

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

const blocks = [
  "p",
  "hr",
  "blockquote",
  "pre",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
];
const inline = ["a", "img", "br", "code", "strong", "em", "s"];

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...headings, ...blocks, ...inline],
  allowedAttributes: {
    ...Object.fromEntries(headings.map((heading) => [heading, ["id"]])),
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title", "loading"],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
  },
  allowedClasses: { code: ["language-*"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs) }),
    img: (tagName, attribs) => ({ tagName, attribs: { ...attribs, loading: "lazy" } }),
    th: aligned,
    td: aligned,
  },
};

function linkAttributes({ href = "", ...others }: Attributes): Attributes {
  if (!isLinkable(href)) return others;
  return { href, ...others, ...(isOutside(href) && { rel: "nofollow ugc noopener" }) };
}

/** A website's policy may forbid styles within the text. */
function aligned(tagName: string, { style = "" }: Attributes): Tag {
  const [, align] = /^text-align:(left|center|right)$/.exec(style) ?? [];
  return { tagName, attribs: align === undefined ? {} : { align } };
}
