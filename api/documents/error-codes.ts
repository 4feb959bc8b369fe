import { type ErrorCode, errorCodes } from "../../shared/error-codes.ts";
import { statusOf } from "../http/errors.ts";
import { code, markdownTable } from "./table.ts";

/** `docs/clients/error-codes.md`. */
export function errorCodesPage(): string {
  const rows = (Object.keys(errorCodes) as ErrorCode[])
    .map((name) => ({ name, status: statusOf[errorCodes[name].kind] }))
    .toSorted((one, other) => one.status - other.status)
    .map(({ name, status }) => [String(status), code(name), errorCodes[name].meaning]);
  return `# Error codes

For people who build clients. This page lists every code that an error answer may carry.

A released code keeps its name and its meaning, so programs must compare codes and not messages.
[Conventions](conventions.md#errors) describes the format of an error answer.

${markdownTable(["Status", "Code", "Meaning"], rows)}
`;
}
