import Joi from "joi";

/** Names of 1 to 64 characters may try: one that nobody may bear fails like an unknown one. */
export const passwordFields = {
  username: Joi.string().min(1).max(64).required(),
  password: Joi.string().min(1).max(1024).required(),
};

/** The secret of a mailed link. Whatever it looks like, a dead one is a thing not found. */
export const linkToken = Joi.string().required();

/** Anything at all is taken, so that a program learns nothing from how its bait is refused. */
export const company = Joi.any().description("Leave it out: people do not see this field.");

export const factorFields = {
  code: Joi.string().max(64).description("Six digits of the authenticator app."),
  recoveryCode: Joi.string().max(64).description("One of the codes shown once."),
};

/** A caller proves that it is still he; a sign-in of the last ten minutes does without. */
export const proofFields = {
  password: Joi.string().max(1024),
  code: Joi.string().max(64).description("Six digits of the authenticator app."),
};

export const deviceName = Joi.string()
  .max(64)
  .allow(null)
  .description("What lists call the device.");
