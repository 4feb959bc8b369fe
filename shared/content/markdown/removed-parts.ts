import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { shortenText } from "../text/clean.ts";

/** CATALOGUE of the rules by which a part of a text is removed or changed. */
const rules = {
  link_scheme: {
    kind: "link",
    message: (schemes) =>
      `The link was removed, because its scheme is not one of ${schemes.join(", ")}. Its text stays.`,
  },
  link_malformed: {
    kind: "link",
    message: () =>
      "The link was removed, because its address is empty or is not a valid URL. Its text stays.",
  },
  link_user: {
    kind: "link",
    message: () =>
      "The link was removed, because its address contains a user name or password. Its text stays.",
  },
  link_host: {
    kind: "link",
    message: () =>
      "The link was removed, because an address of another host needs a scheme. Its text stays.",
  },
  image_source: {
    kind: "image",
    message: () =>
      "The image was removed, because its address is neither an https address without a user name " +
      "nor the path of a public picture of the site. Its alternative text stays.",
  },
  table_width: {
    kind: "table_cell",
    message: () =>
      "The cell was removed, because its row has more cells than the header of the table.",
  },
  definition_unused: {
    kind: "definition",
    message: () => "The definition was removed, because no link or image uses it.",
  },
  definition_repeated: {
    kind: "definition",
    message: () => "The definition was removed, because an earlier definition has the same name.",
  },
  footnote_unused: {
    kind: "footnote",
    message: () => "The footnote was removed, because no reference uses it.",
  },
  footnote_repeated: {
    kind: "footnote",
    message: () => "The footnote was removed, because a later footnote has the same name.",
  },
  code_info: {
    kind: "code_info",
    message: () => "Only the first word after the code fence was kept: it is the language.",
  },
  control_character: {
    kind: "character",
    message: () => "The control characters were removed.",
  },
} as const satisfies Readonly<Record<string, RuleSpec>>;

interface RuleSpec {
  readonly kind: string;
  readonly message: (schemes: readonly string[]) => string;
}

export type RemovalRule = keyof typeof rules;

/** The maximum number of reported parts per text. */
const maxReportedParts = 200;

/** The limit of a reported text or address, in characters. */
const maxTextLength = 200;

export interface RemovedPart {
  readonly kind: (typeof rules)[RemovalRule]["kind"];
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly address: string | null;
  readonly rule: RemovalRule;
  readonly message: string;
}

interface RemovedPartInput {
  readonly rule: RemovalRule;
  readonly line: number;
  readonly text: string;
  readonly address?: string;
}

export class RemovedParts {
  readonly #parts: RemovedPart[] = [];
  readonly #schemes: readonly string[];

  /** @param addedSchemes the schemes of `CONTENT_LINK_SCHEMES` */
  constructor(addedSchemes: readonly string[]) {
    this.#schemes = linkSchemes(addedSchemes);
  }

  add({ rule, line, text, address }: RemovedPartInput): void {
    if (this.#parts.length >= maxReportedParts) return;
    const { kind, message } = rules[rule];
    this.#parts.push({
      kind,
      line,
      text: shortenText(text, maxTextLength),
      address: address === undefined ? null : shortenText(address, maxTextLength),
      rule,
      message: message(this.#schemes),
    });
  }

  /** Returns the first 200 reported parts, ordered by line. */
  list(): RemovedPart[] {
    return this.#parts.toSorted((one, other) => one.line - other.line);
  }
}
