import type { Post } from "../../../models/content/post.ts";
import type { Context } from "../../platform/context.ts";
import { type ImageRules, findAllowedImage } from "../../platform/net/image-address.ts";
import { siteName } from "../../platform/site-name.ts";
import { webAppUrls } from "../addresses.ts";
import { readLatestPosts } from "./read-posts.ts";

export const feedFormats = ["rss", "atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

export const feedMediaTypes: Readonly<Record<FeedFormat, string>> = {
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** The number of posts in a feed. */
const feedLength = 20;

/** Stands for `<` in Atom attributes, which the library does not escape. No stored text contains it. */
const lessThan = "\u0001";

/** Stands for `]]>` in CDATA, because the library splits only the first one. No stored text contains it. */
const endOfCdata = "\u0002";

/** Renders the latest posts as a feed, with whole texts and absolute addresses. */
export async function renderFeed(
  format: FeedFormat,
  context: Pick<Context, "models" | "config">,
): Promise<string> {
  const { PUBLIC_BASE_URL: base } = context.config;
  const posts = await readLatestPosts(context, feedLength);
  const { Feed } = await loadFeed();
  const feed = new Feed(makeFeedHeader(posts, format, base));
  for (const post of posts) feed.addItem(makeFeedItem(post, format, context.config));
  const render = {
    rss: () => feed.rss2().replaceAll(endOfCdata, "]]]]><![CDATA[>"),
    atom: () => feed.atom1().replaceAll(lessThan, "&lt;"),
    json: () => toJsonFeed11(feed.json1()),
  };
  return render[format]();
}

// Loaded at the first call, because most processes never render a feed.
const loadFeed = () => import("feed");

function makeFeedHeader(posts: readonly Post[], format: FeedFormat, base: string) {
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
    // Atom requires an author. The author of the feed is used for posts whose author's account is deleted.
    ...(format === "atom" && { author: { name: siteName } }),
  } as const;
}

function makeFeedItem(post: Post, format: FeedFormat, config: ImageRules) {
  const { PUBLIC_BASE_URL: base } = config;
  const { id, slug, title, updatedAt, createdAt, tags, author } = post;
  const image = findAllowedImage(post.imageUrl, config);
  const link = webAppUrls.post(slug, base);
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
    // The library calls the time of the last change `date`. RSS has only the time of publication.
    date: format === "rss" || updatedAt < published ? published : updatedAt,
    category: tags.map((name) => categoryOf(name, format)),
    ...(format === "json" && image !== null && { image: new URL(image, base).href }),
    ...authorOf(author?.username, format),
  };
}

/** Atom reads titles as HTML, the other formats as text. */
function titleOf(title: string, format: FeedFormat): string {
  if (format === "atom") return escapeHtml(title);
  return format === "rss" ? title.replaceAll("]]>", endOfCdata) : title;
}

const categoryOf = (tag: string, format: FeedFormat) => {
  const name = format === "atom" ? tag.replaceAll("<", lessThan) : tag;
  return { name, term: name };
};

/** RSS requires an author's e-mail address, which is private, so the name is in `dc:creator`. */
function authorOf(name: string | undefined, format: FeedFormat) {
  if (name === undefined) return {};
  if (format !== "rss") return { author: [{ name }] };
  return { extensions: [{ name: "dc:creator", objects: { _text: name } }] };
}

interface JsonFeed10 {
  readonly items: readonly (object & { readonly author?: object })[];
}

/** The language of the feeds' titles. */
const language = "en";

/** Converts JSON Feed 1 to jsonfeed.org/version/1.1, which has `authors` instead of `author`. */
function toJsonFeed11(text: string): string {
  const { items, ...frame } = JSON.parse(text) as JsonFeed10;
  const feed = {
    ...frame,
    version: "https://jsonfeed.org/version/1.1",
    language,
    items: items.map(({ author, ...item }) => ({ ...item, ...(author && { authors: [author] }) })),
  };
  return JSON.stringify(feed, null, 4);
}

/**
 * Makes the addresses of rendered HTML absolute, because feed readers show it outside the site. Sanitized
 * HTML has `<` only in tags, and attributes in double quotes.
 */
const absoluteHtml = (html: string, base: string): string =>
  html.replaceAll(/<(?:a|img)\b[^>]*>/g, (tag) =>
    tag.replaceAll(
      / (href|src)="(?![a-z][a-z\d+.-]*:)([^"]*)"/gi,
      (_, name: string, address: string) => ` ${name}="${escapeHtml(resolve(address, base))}"`,
    ),
  );

const resolve = (address: string, base: string): string =>
  new URL(address.replaceAll("&amp;", "&"), base).href;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
