/** The components for the parts of the data export with texts and actions of a user. */
export const contentPartComponents = {
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnPost:
   *       type: object
   *       additionalProperties: false
   *       required: [id, slug, title, status, created_at, updated_at]
   *       properties:
   *         id: { type: integer }
   *         slug: { type: string, example: the-fair-begins }
   *         title: { type: string, example: The fair begins }
   *         status: { type: string, enum: [draft, published] }
   *         created_at: { type: string, format: date-time }
   *         updated_at: { type: string, format: date-time }
   */
  posts: "OwnPost",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnWikiRevision:
   *       type: object
   *       additionalProperties: false
   *       required: [page_id, revision, title, note, created_at]
   *       properties:
   *         page_id: { type: integer }
   *         revision: { type: integer }
   *         title: { type: string, example: Taming }
   *         note:
   *           type: string
   *           nullable: true
   *           description: Note about the change. Null if the author wrote no note.
   *           example: A typo
   *         created_at: { type: string, format: date-time }
   */
  wiki_revisions: "OwnWikiRevision",
  appeals: "OwnAppeal",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnActivity:
   *       type: object
   *       additionalProperties: false
   *       required: [id, at, action, by_you, address, detail]
   *       properties:
   *         id: { type: integer }
   *         at: { type: string, format: date-time }
   *         action: { type: string, example: auth.login.success }
   *         by_you: { type: boolean, description: Whether the user performed the action. False for an action of another user or of the service on the user's account. }
   *         address: { type: string, nullable: true, description: IP address from which the user sent the request. Null if the user did not send the request. }
   *         detail:
   *           type: object
   *           nullable: true
   *           additionalProperties: true
   *           description: >-
   *             Details of an action on the user's own account. Null for all other actions.
   */
  activity: "OwnActivity",
} as const;
