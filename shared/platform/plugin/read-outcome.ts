import { isObject, parseObject, toStorable } from "../bridge/json-text.ts";
import { AppError, invalidFieldsError } from "../errors/errors.ts";
import type { CommandOutcome } from "./commands.ts";

/**
 * Reads an outcome like a sidecar's answer: long integers become texts of digits, and characters that
 * PostgreSQL cannot store are replaced.
 * @throws AppError malformed_body, validation_failed
 */
export function readOutcome(text: string): CommandOutcome {
  const parsed = parseObject(text);
  if (!parsed) throw new AppError("malformed_body", "The body must be a JSON object");
  const { status, body } = toStorable(parsed, text);
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
    throw fault("status", "status must be a whole number from 200 to 599");
  }
  if (!isObject(body)) throw fault("body", "body must be an object");
  return { status: Number(status), body };
}

const fault = (path: string, message: string): AppError => invalidFieldsError([{ path, message }]);
