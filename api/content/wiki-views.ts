import type { WikiPage } from "../../models/content/wiki-page.ts";
import type { WikiRevision } from "../../models/content/wiki-revision.ts";
import type { ListPage } from "../../shared/content/list-query.ts";
import type { SavedText } from "../../shared/content/saved-text.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     WikiPage:
 *       type: object
 *       additionalProperties: false
 *       required: [slug, title, category, tags, status, revision, updated_at, updated_by]
 *       properties:
 *         slug: { type: string, example: getting-started }
 *         title: { type: string, example: Getting started }
 *         category: { $ref: '#/components/schemas/WikiCategory' }
 *         tags: { type: array, items: { type: string, example: guide } }
 *         status: { type: string, enum: [published, draft] }
 *         revision: { type: integer, description: Number of the newest revision., example: 3 }
 *         updated_at: { type: string, format: date-time }
 *         updated_by: { $ref: '#/components/schemas/Author' }
 *         toc:
 *           type: array
 *           description: 'Table of contents: the headings of the wiki page. Absent in lists.'
 *           items: { $ref: '#/components/schemas/TocEntry' }
 *         body_html:
 *           type: string
 *           description: Text of the post or page as sanitized HTML. Absent in lists.
 *           example: <p>Ask for the way to the bank.</p>
 *         body:
 *           type: string
 *           description: >-
 *             Text of the post or page in Markdown. Only the operations for editors and
 *             administrators return this field. Absent in lists.
 *           example: Ask for the way to the bank.
 *         removed: { $ref: '#/components/schemas/RemovedParts' }
 *         redirect_from:
 *           type: array
 *           description: >-
 *             Former slugs of the wiki page. The public wiki still finds the page under its former
 *             slugs. Absent in lists.
 *           items: { type: string, example: first-steps }
 *         redirected_from:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Slug that the request contained, if this is a former slug of the page or the slug
 *             made from its title. Null if the request contained the current slug. Only the public
 *             wiki returns this field.
 *           example: null
 *     WikiCategory:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [slug, name]
 *       properties:
 *         slug: { type: string, example: guides }
 *         name: { type: string, example: Guides }
 *     TocEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [level, text, anchor]
 *       properties:
 *         level: { type: integer, minimum: 1, maximum: 6, example: 2 }
 *         text: { type: string, example: The bank }
 *         anchor:
 *           type: string
 *           description: Id of the heading in `body_html`.
 *           example: h-the-bank
 *     WikiIndex:
 *       type: object
 *       additionalProperties: false
 *       required: [pages, total, limit, offset]
 *       properties:
 *         pages: { type: array, items: { $ref: '#/components/schemas/WikiPage' } }
 *         total: { type: integer, description: Number of matching wiki pages on all pages of the list. }
 *         limit: { type: integer }
 *         offset: { type: integer }
 */
const viewListedWikiPage = (page: WikiPage) => ({
  slug: page.slug,
  title: page.title,
  category: page.category ? { slug: page.category.slug, name: page.category.name } : null,
  tags: page.tags,
  status: page.status,
  revision: page.revision,
  updated_at: page.updatedAt,
  updated_by: page.updater ? { id: page.updater.id, username: page.updater.username } : null,
});

export const viewWikiIndex = (
  { rows, total }: ListPage<WikiPage>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => ({ pages: rows.map(viewListedWikiPage), total, limit, offset });

const viewWholeWikiPage = (page: WikiPage) => ({
  ...viewListedWikiPage(page),
  toc: page.toc,
  body_html: page.bodyHtml,
  redirect_from: (page.redirects ?? []).map(({ slug }) => slug),
});

/** A wiki page as the public sees it. */
export const viewPublicWikiPage = (page: WikiPage, redirectedFrom: string | null) => ({
  ...viewWholeWikiPage(page),
  redirected_from: redirectedFrom,
});

/** A wiki page as editors see it, with its Markdown source. */
export const viewWikiPage = (page: WikiPage) => ({ ...viewWholeWikiPage(page), body: page.body });

/** A wiki page as editors see it right after saving. */
export const viewSavedWikiPage = ({ row, removed }: SavedText<WikiPage>) => ({
  ...viewWikiPage(row),
  ...(removed.length > 0 && { removed }),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     WikiRevision:
 *       type: object
 *       additionalProperties: false
 *       required: [revision, title, author, note, created_at, body]
 *       properties:
 *         revision: { type: integer, example: 2 }
 *         title: { type: string, example: Getting started }
 *         author: { $ref: '#/components/schemas/Author' }
 *         note:
 *           type: string
 *           nullable: true
 *           description: Note about the change. Null if the author wrote no note.
 *           example: A better way to the bank
 *         created_at: { type: string, format: date-time }
 *         body: { type: string, description: Text of the revision in Markdown., example: Ask for the way. }
 */
export const viewRevision = (revision: WikiRevision) => ({
  revision: revision.revision,
  title: revision.title,
  author: revision.author ? { id: revision.author.id, username: revision.author.username } : null,
  note: revision.note,
  created_at: revision.createdAt,
  body: revision.body,
});
