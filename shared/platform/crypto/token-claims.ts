import Joi from "joi";

/** What every token says. Times are whole epoch seconds; a role is never among them. */
export interface TokenClaims {
  readonly userId: number;
  readonly tokenId: string;
  /** Of the user's credentials when it was signed. */
  readonly generation: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** What the kind adds, by its claim's name. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Ids are PostgreSQL's `integer`: a larger one would be an error there instead of a refusal. */
const largestId = 2 ** 31 - 1;

/** The last second that ISO 8601 writes with a year of four digits. */
const lastSecond = 253_402_300_799;

const seconds = Joi.number().integer().min(0).max(lastSecond);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const common = {
  sub: Joi.string()
    .pattern(/^[1-9]\d{0,9}$/)
    .custom((text: string, { error }) => (Number(text) > largestId ? error("any.invalid") : text))
    .required(),
  jti: Joi.string().pattern(uuid).required(),
  iat: seconds.required(),
  exp: seconds.required(),
  gen: Joi.number().integer().min(0).max(largestId).required(),
  aud: Joi.string().required(),
};

const signedInAt = { auth_time: seconds.required() };
const methods = Joi.array().items(Joi.string().max(32)).max(8);

/** CATALOGUE of what tokens must say, by kind. More may stand there: a newer release may add it. */
const schemas = {
  session: { ...signedInAt, amr: methods.required(), sid: Joi.forbidden() },
  access: {
    ...signedInAt,
    amr: methods,
    sid: Joi.number().integer().min(1).max(largestId).required(),
  },
  challenge: { stage: Joi.valid("totp").required(), kind: Joi.forbidden() },
  ssoChallenge: { stage: Joi.valid("totp").required(), kind: Joi.valid("sso_totp").required() },
} as const;
export type TokenKind = keyof typeof schemas;

const compiled = new Map(
  Object.entries(schemas).map(([kind, extra]) => [
    kind,
    Joi.object<Record<string, unknown>>({ ...common, ...extra })
      .unknown()
      .prefs({ convert: false }),
  ]),
);

/** The claims of a payload whose signature was verified; null when they are not of the kind. */
export function claimsOf(kind: TokenKind, payload: object): TokenClaims | null {
  const schema = compiled.get(kind);
  if (!schema || schema.validate(payload).error) return null;
  const { sub, jti, iat, exp, gen, aud: _aud, ...extra } = payload as Record<string, unknown>;
  return {
    userId: Number(sub),
    tokenId: String(jti),
    generation: Number(gen),
    issuedAt: Number(iat),
    expiresAt: Number(exp),
    extra,
  };
}
