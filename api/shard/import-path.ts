import Joi from "joi";

export const importPathBody = Joi.object<{ path: string }, true>({
  path: Joi.string()
    .allow("")
    .max(4096)
    .pattern(/\0/, { invert: true, name: "NUL" })
    .required()
    // Joi ignores `invert` when it writes the JSON Schema, so declare the pattern here.
    .meta({ jsonSchema: { pattern: "^[^\\u0000]*$" } })
    .description(
      "Path on the machines on which the import workers run. An empty path removes the setting, " +
        "so that the environment variable applies again.",
    ),
});
