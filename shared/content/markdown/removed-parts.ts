import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { shorten } from "../text/clean.ts";

/** CATALOGUE of the rules by which a part of a text is removed or changed. */
const rules = {
  link_scheme: {
    kind: "link",
    message: (schemes) =>
      `A link has one of the schemes ${schemes.join(", ")}, or no scheme. The words stay.`,
  },
  link_malformed: {
    kind: "link",
    message: () => "The address is empty or is not a valid URL. The words stay.",
  },
  link_user: {
    kind: "link",
    message: () => "The address of a website holds no user name or password. The words stay.",
  },
  link_host: {
    kind: "link",
    message: () => "An address of another host begins with its scheme. The words stay.",
  },
  image_source: {
    kind: "image",
    message: () =>
      "An image has an https address without a user name, or the path of a public picture of the " +
      "site. Its alternative text stays.",
  },
  table_width: {
    kind: "table_cell",
    message: () => "A row of a table has no more cells than its header.",
  },
  definition_unused: {
    kind: "definition",
    message: () => "No link or image names this definition.",
  },
  definition_repeated: {
    kind: "definition",
    message: () => "An earlier definition has the same name.",
  },
  footnote_unused: {
    kind: "footnote",
    message: () => "No reference names this footnote.",
  },
  footnote_repeated: {
    kind: "footnote",
    message: () => "A later footnote has the same name.",
  },
  code_info: {
    kind: "code_info",
    message: () => "Of the words after a code fence the first is kept, as the language.",
  },
  control_character: {
    kind: "character",
    message: () => "A text holds no control characters.",
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
      text: shorten(text, maxTextLength),
      address: address === undefined ? null : shorten(address, maxTextLength),
      rule,
      message: message(this.#schemes),
    });
  }

  /** Returns the first 200 reported parts, ordered by line. */
  list(): RemovedPart[] {
    return this.#parts.toSorted((one, other) => one.line - other.line);
  }
}
