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

A code stays as it is once a release has it, so programs compare codes and never messages. The shape of
an error answer is in [Conventions](conventions.md#errors).

${markdownTable(["Status", "Code", "Meaning"], rows)}
`;
}
