import type { Post } from "../../../models/content/post.ts";
import type { Context } from "../../platform/context.ts";
import { type ImageRules, shownImage } from "../../platform/net/image-address.ts";
import { siteName } from "../../platform/site-name.ts";
import { addresses } from "../addresses.ts";
import { readNews } from "./read-posts.ts";

export const feedFormats = ["rss", "atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** What each format is sent as. */
export const feedMediaTypes: Readonly<Record<FeedFormat, string>> = {
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** A feed holds the latest posts. */
const length = 20;

/**
 * The library escapes `&` and `"` in an attribute of Atom and leaves `<`, which no attribute may have.
 * What stands for it until the text is made is in no stored text.
 */
const lessThan = "\u0001";

/** It parts the first `]]>` of a CDATA section alone. What stands for the ends until then is in no stored text. */
const endOfCdata = "\u0002";

/** The news as feed readers take it, with whole texts and absolute addresses. */
export async function renderFeed(
  format: FeedFormat,
  context: Pick<Context, "models" | "config">,
): Promise<string> {
  const { PUBLIC_BASE_URL: base } = context.config;
  const posts = await readNews(context, length);
  const { Feed } = await loadFeed();
  const feed = new Feed(frameOf(posts, format, base));
  for (const post of posts) feed.addItem(itemOf(post, format, context.config));
  const render = {
    rss: () => feed.rss2().replaceAll(endOfCdata, "]]]]><![CDATA[>"),
    atom: () => feed.atom1().replaceAll(lessThan, "&lt;"),
    json: () => toJsonFeed11(feed.json1()),
  };
  return render[format]();
}

// Most processes are never asked for a feed, so what makes one is loaded with the first.
const loadFeed = () => import("feed");

function frameOf(posts: readonly Post[], format: FeedFormat, base: string) {
  const changed = posts.map(({ updatedAt, publishedAt }) =>
    Math.max(updatedAt.getTime(), publishedAt?.getTime() ?? 0),
  );
  const self = `${base}/api/v1/public/feed?format=`;
  return {
    id: `${base}/`,
    title: siteName,
    description: `News of ${siteName}`,
    link: `${base}/`,
    updated: new Date(Math.max(0, ...changed)),
    generator: false,
    feedLinks: { rss: `${self}rss`, atom: `${self}atom`, json: `${self}json` },
    // Of a post whose author's account is deleted: Atom asks for one.
    ...(format === "atom" && { author: { name: siteName } }),
  } as const;
}

function itemOf(post: Post, format: FeedFormat, config: ImageRules) {
  const { PUBLIC_BASE_URL: base } = config;
  const { id, slug, title, updatedAt, createdAt, tags, author } = post;
  const image = shownImage(post.imageUrl, config);
  const link = addresses.post(slug, base);
  const excerpt = post.excerpt ?? post.autoExcerpt;
  const published = post.publishedAt ?? createdAt;
  const tag = `tag:${new URL(base).hostname},${createdAt.getUTCFullYear()}:post/${id}`;
  return {
    id: tag,
    guid: tag,
    link,
    title: titleOf(title, format),
    description: format === "json" ? excerpt : escapeHtml(excerpt),
    content: absoluteHtml(post.bodyHtml, link),
    published,
    // The library's own name for the time of the change; RSS knows that of the publication alone.
    date: format === "rss" || updatedAt < published ? published : updatedAt,
    category: tags.map((name) => categoryOf(name, format)),
    ...(format === "json" && image !== null && { image: new URL(image, base).href }),
    ...authorOf(author?.username, format),
  };
}

/** Atom takes titles for HTML, the others for text. */
function titleOf(title: string, format: FeedFormat): string {
  if (format === "atom") return escapeHtml(title);
  return format === "rss" ? title.replaceAll("]]>", endOfCdata) : title;
}

const categoryOf = (tag: string, format: FeedFormat) => {
  const name = format === "atom" ? tag.replaceAll("<", lessThan) : tag;
  return { name, term: name };
};

/** RSS asks for an author's e-mail address, which is nobody's business. */
function authorOf(name: string | undefined, format: FeedFormat) {
  if (name === undefined) return {};
  if (format !== "rss") return { author: [{ name }] };
  return { extensions: [{ name: "dc:creator", objects: { _text: name } }] };
}

/** What the library writes of a feed: JSON Feed 1, with one author an item. */
interface OlderFeed {
  readonly items: readonly (object & { readonly author?: object })[];
}

/** The language of the site's own words, which the titles of feeds are in. */
const language = "en";

/** JSON Feed as jsonfeed.org/version/1.1 has it, made of the version before: `authors` follow `author`. */
function toJsonFeed11(text: string): string {
  const { items, ...frame } = JSON.parse(text) as OlderFeed;
  const feed = {
    ...frame,
    version: "https://jsonfeed.org/version/1.1",
    language,
    items: items.map(({ author, ...item }) => ({ ...item, ...(author && { authors: [author] }) })),
  };
  return JSON.stringify(feed, null, 4);
}

/**
 * Rendered HTML with its addresses made absolute, as it is read elsewhere. What the sanitiser wrote
 * holds `<` in tags alone, and attributes in double quotes.
 */
const absoluteHtml = (html: string, base: string): string =>
  html.replaceAll(/<(?:a|img)\b[^>]*>/g, (tag) =>
    tag.replaceAll(
      / (href|src)="(?![a-z][a-z\d+.-]*:)([^"]*)"/gi,
      (_, name: string, address: string) => ` ${name}="${escapeHtml(resolve(address, base))}"`,
    ),
  );

/** The address is written as HTML, in which an ampersand is an entity. */
const resolve = (address: string, base: string): string =>
  new URL(address.replaceAll("&amp;", "&"), base).href;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as HTML. */
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
