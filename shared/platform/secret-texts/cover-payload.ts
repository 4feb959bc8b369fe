import { coverWritten } from "./secret-forms.ts";
import { isPairedValue, namesPair, namesSecret, secretMask } from "./secret-names.ts";

/** What every text with a secret holds: a word that names one, an address, or a long run of signs. */
const maySayMore =
  /key|pass|pwd|token|secret|hook|connection|credential|sig|auth|bearer|basic|\/\/|bot|@|pw|psw|-----|[\w-]{16}|[^\0-\x7f]/i;

/** Text of a payload in JSON, with secrets covered by the names that they stand under and by their form. */
export function coverPayloadText(text: string): string {
  if (!maySayMore.test(text)) return text;
  return JSON.stringify(coverValue(JSON.parse(text), false));
}

/** The same of a value. */
function coverValue(value: unknown, isNamed: boolean): unknown {
  if (typeof value === "string") return coverText(value, isNamed);
  if (typeof value === "number") return isNamed ? secretMask : value;
  if (Array.isArray(value)) return value.map((item) => coverValue(item, isNamed));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const isPair = entries.some(
    ([name, inner]) => typeof inner === "string" && namesPair(name, inner),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      coverWritten(name),
      coverValue(inner, isNamed || namesSecret(name) || (isPair && isPairedValue(name))),
    ]),
  );
}

function coverText(text: string, isNamed: boolean): string {
  if (isNamed) return text === "" ? text : secretMask;
  return coverWritten(text);
}
