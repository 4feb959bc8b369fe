import type { Schema } from "../http/json-schema.ts";
import { type ExampleBuilder, readComponentName } from "./examples.ts";
import type { OpenApiDescription } from "./openapi.ts";

type Media = Readonly<Record<string, Schema>>;

/** Adds an example to every request and answer. Examples of components are shared. */
export function addExamples(
  description: OpenApiDescription,
  examples: ExampleBuilder,
): OpenApiDescription {
  const told: Record<string, Schema> = {};
  const paths = mapped(description.paths, (methods) =>
    mapped(methods, (operation) => withOperation(operation, examples, told)),
  );
  const components = { ...description.components, examples: told };
  return { ...description, paths, components };
}

function withOperation(
  operation: Schema,
  examples: ExampleBuilder,
  told: Record<string, Schema>,
): Schema {
  const { requestBody, responses } = operation as {
    requestBody?: Schema & { readonly content: Media };
    responses: Readonly<Record<string, Schema>>;
  };
  const content = requestBody && mapped(requestBody.content, (media) => withInput(media, examples));
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content } }),
    responses: mapped(responses, (answer) => withAnswer(answer, examples, told)),
  };
}

const withInput = (media: Schema, examples: ExampleBuilder): Schema => {
  const { example, ...schema } = media["schema"] as Schema;
  return { schema, example: example ?? examples.of(schema, "", true) };
};

function withAnswer(
  answer: Schema,
  examples: ExampleBuilder,
  told: Record<string, Schema>,
): Schema {
  const content = answer["content"] as Media | undefined;
  if (!content) return answer;
  return {
    ...answer,
    content: Object.fromEntries(
      Object.entries(content).map(([type, media]) => {
        const isJson = type === "application/json" || "$ref" in (media["schema"] as Schema);
        const hasNone = isJson && media["example"] === undefined;
        return [
          type,
          hasNone ? { ...media, ...exampleOf(media["schema"] as Schema, examples, told) } : media,
        ];
      }),
    ),
  };
}

function exampleOf(schema: Schema, examples: ExampleBuilder, told: Record<string, Schema>): Schema {
  const name = readComponentName(schema);
  const forms = examples.formsOf(schema);
  if (name === "") return { example: examples.of(schema) };
  const values = forms ?? { [name]: examples.of(schema) };
  for (const [form, value] of Object.entries(values)) told[form] = { value };
  return {
    examples: mapped(values, (_, form) => ({ $ref: `#/components/examples/${form}` })),
  };
}

const mapped = <Value, Made>(
  given: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, make(value, name)]));
