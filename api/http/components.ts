/**
 * The components every route shares.
 *
 * @openapi
 * components:
 *   securitySchemes:
 *     sessionCookie: { type: apiKey, in: cookie, name: __Host-session }
 *     bearerToken: { type: http, scheme: bearer, bearerFormat: JWT }
 *     challengeToken: { type: http, scheme: bearer, bearerFormat: JWT }
 *   schemas:
 *     Error:
 *       type: object
 *       required: [error]
 *       properties:
 *         error: { type: string, description: What was refused and why. }
 *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
 *     Fault:
 *       type: object
 *       required: [path, message]
 *       properties:
 *         path: { type: string, description: 'The field, with dots between levels.' }
 *         message: { type: string, description: The rule it broke. }
 *     ValidationError:
 *       type: object
 *       required: [error]
 *       properties:
 *         error: { type: string, example: Validation failed }
 *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
 *     Ok:
 *       type: object
 *       required: [ok]
 *       properties:
 *         ok: { type: boolean, enum: [true] }
 *     Message:
 *       type: object
 *       required: [message]
 *       properties:
 *         message: { type: string }
 *     DeletedId:
 *       type: object
 *       required: [id]
 *       properties:
 *         id: { type: integer }
 *     Object:
 *       type: object
 *       additionalProperties: true
 *     NullableObject:
 *       type: object
 *       nullable: true
 *       additionalProperties: true
 */
export const sharedComponents = ["Error", "Fault", "ValidationError", "Object", "NullableObject"];
