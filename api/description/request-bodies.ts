import type Joi from "joi";

import { formMediaType } from "../http/body.ts";
import { findComponentName, type Schema, toOpenApi } from "../http/json-schema.ts";
import type { Route } from "../http/route.ts";

/** Returns an operation's body, with a reference if its schema is a component. */
export function describeRequestBody(body: Joi.ObjectSchema, as?: Route["bodyAs"]): Schema {
  const json = toOpenApi(body);
  const component = findComponentName(body);
  const schema = component === undefined ? json : { $ref: `#/components/schemas/${component}` };
  return {
    required: ((json["required"] as readonly string[] | undefined) ?? []).length > 0,
    content: { [as === "form" ? formMediaType : "application/json"]: { schema } },
  };
}

/** Returns the component schemas of the routes' bodies. */
export const bodySchemas = (routes: readonly Route[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    routes.flatMap(({ body }) => {
      const component = body && findComponentName(body);
      return component === undefined ? [] : [[component, toOpenApi(body as Joi.ObjectSchema)]];
    }),
  );
