import { type ErrorCode, errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { statusByErrorKind } from "../http/errors.ts";
import { formatCode, markdownTable } from "./table.ts";

/** Returns the text of `docs/clients/error-codes.md`. */
export function errorCodesPage(): string {
  const rows = (Object.keys(errorCodes) as ErrorCode[])
    .map((name) => ({ name, status: statusByErrorKind[errorCodes[name].kind] }))
    .toSorted((one, other) => one.status - other.status)
    .map(({ name, status }) => [String(status), formatCode(name), errorCodes[name].meaning]);
  return `# Error codes

For people who write clients. By the end of this page, you know what each error code of the API
means.

An error answer contains one of these codes in the header \`X-Error-Code\`. Let your program compare
codes and not texts, because a released code keeps its name and its meaning.
[Conventions](conventions.md#errors) describes the format of an error answer.

${markdownTable(["Status", "Code", "Meaning"], rows)}
`;
}
