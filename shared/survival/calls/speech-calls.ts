import Joi from "joi";

import { command } from "../../bridge/call.ts";

/** Who holds which titles in chat, already cut as the server's rules say. */
export const setTitles = command<
  object,
  { body: { mode: string; max: number | null; holders: readonly object[] } }
>({ method: "PUT", path: "/v1/titles", answer: Joi.object() });

/** In which style the site speaks. */
export const setVoice = command<object, { body: object }>({
  method: "PUT",
  path: "/v1/voice",
  answer: Joi.object(),
});
