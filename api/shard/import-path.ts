import Joi from "joi";

/** Where an import reads from. */
export const importPathBody = Joi.object<{ path: string }, true>({
  path: Joi.string()
    .allow("")
    .max(4096)
    .pattern(/\0/, { invert: true, name: "NUL" })
    .required()
    // Joi's own would say the opposite of an inverted pattern.
    .meta({ jsonSchema: { pattern: "^[^\\u0000]*$" } })
    .description(
      "Path on the machine where the import workers run. A blank path removes the setting, so " +
        "that the environment variable applies again.",
    ),
});
