import Joi from "joi";

/** Where an import reads from. */
export const importPathBody = Joi.object<{ path: string }, true>({
  path: Joi.string()
    .allow("")
    .max(4096)
    .pattern(/\0/, { invert: true, name: "NUL" })
    .required()
    .description("On the machine of the import workers; blank clears it."),
});
