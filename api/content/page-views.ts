import type { Page } from "../../models/content/page.ts";
import type { SavedText } from "../../shared/content/saved-text.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     NavigationEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [slug, title, nav_order]
 *       properties:
 *         slug: { type: string, example: rules }
 *         title: { type: string, example: Rules }
 *         nav_order: { type: integer, example: 10 }
 */
export const viewNavigationEntry = ({ slug, title, navOrder }: Page) => ({
  slug,
  title,
  nav_order: navOrder,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     Page:
 *       type: object
 *       additionalProperties: false
 *       required: [slug, title, nav_order, audience, status, revision, updated_at]
 *       properties:
 *         slug: { type: string, example: rules }
 *         title: { type: string, example: Rules }
 *         nav_order:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Position in the navigation, lowest first. Null if the page is not part of the
 *             navigation.
 *           example: 10
 *         audience: { $ref: '#/components/schemas/PageAudience' }
 *         status: { type: string, enum: [published, draft] }
 *         revision: { type: integer, description: Number of the current revision. Each change increases it., example: 3 }
 *         updated_at: { type: string, format: date-time }
 *         body_html:
 *           type: string
 *           description: Text of the post or page as sanitized HTML. Absent in lists.
 *           example: <p>Be kind to each other.</p>
 *         body:
 *           type: string
 *           description: >-
 *             Text of the post or page in Markdown. Only the operations for editors and
 *             administrators return this field. Absent in lists.
 *           example: Be kind to each other.
 *         removed: { $ref: '#/components/schemas/RemovedParts' }
 *     PageAudience:
 *       type: string
 *       description: Lowest audience that may see the page.
 *       enum: [anonymous, logged_in, staff]
 */
export const viewListedPage = (page: Page) => ({
  slug: page.slug,
  title: page.title,
  nav_order: page.navOrder,
  audience: page.audience,
  status: page.status,
  revision: page.revision,
  updated_at: page.updatedAt,
});

/** A page as its audience sees it. */
export const viewPublicPage = (page: Page) => ({
  ...viewListedPage(page),
  body_html: page.bodyHtml,
});

/** A page as editors see it, with its Markdown source. */
export const viewPage = (page: Page) => ({ ...viewPublicPage(page), body: page.body });

/** A page as editors see it right after saving. */
export const viewSavedPage = ({ row, removed }: SavedText<Page>) => ({
  ...viewPage(row),
  ...(removed.length > 0 && { removed }),
});
