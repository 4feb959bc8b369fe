import sanitizeHtml, { type Attributes, type Tag } from "sanitize-html";

import { linkSchemes as allowedLinkSchemes } from "../../platform/config/link-schemes.ts";
import { type ImageRules, isImageSource } from "../../platform/net/image-address.ts";
import { findLinkFault, isExternalLink } from "./addresses.ts";

interface SanitizeRules {
  readonly images: ImageRules;
  readonly linkSchemes: readonly string[];
}

/** Removes all HTML that the site's renderer does not produce, in case an error lets other HTML through. */
export const sanitizeRenderedHtml = (
  html: string,
  { images, linkSchemes }: SanitizeRules,
): string =>
  sanitizeHtml(html, {
    ...allowed,
    allowedSchemes: [...allowedLinkSchemes(linkSchemes)],
    transformTags: {
      ...transformed,
      a: (tagName, attribs) => ({ tagName, attribs: linkAttributes(attribs, linkSchemes) }),
    },
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
  "section",
];
const inline = ["a", "img", "br", "code", "strong", "em", "s", "sup"];

const transformed = {
  img: (tagName: string, attribs: Attributes) => ({
    tagName,
    attribs: { ...attribs, loading: "lazy" },
  }),
  th: aligned,
  td: aligned,
};

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...headings, ...blocks, ...inline],
  allowedAttributes: {
    ...Object.fromEntries(headings.map((heading) => [heading, ["id"]])),
    a: ["href", "title", "rel", "id"],
    img: ["src", "alt", "title", "loading"],
    ol: ["start"],
    li: ["id"],
    th: ["align"],
    td: ["align"],
  },
  allowedClasses: {
    code: ["language-*"],
    sup: ["footnote-ref"],
    hr: ["footnotes-sep"],
    section: ["footnotes"],
    ol: ["footnotes-list"],
    li: ["footnote-item"],
    a: ["footnote-backref"],
  },
  allowProtocolRelative: false,
};

function linkAttributes(
  { href = "", ...others }: Attributes,
  linkSchemes: readonly string[],
): Attributes {
  if (findLinkFault(href, linkSchemes)) return others;
  return { href, ...others, ...(isExternalLink(href) && { rel: "nofollow ugc noopener" }) };
}

/** Replaces the style with the `align` attribute, because a website's policy can forbid inline styles. */
function aligned(tagName: string, { style = "" }: Attributes): Tag {
  const [, align] = /^text-align:(left|center|right)$/.exec(style) ?? [];
  return { tagName, attribs: align === undefined ? {} : { align } };
}
