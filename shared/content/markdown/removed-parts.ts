import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { shorten } from "../text/clean.ts";

/** CATALOGUE of the rules by which a part of a text is not shown as it was written. */
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
  /** @param schemes those that links may have */
  readonly message: (schemes: readonly string[]) => string;
}

export type RemovalRule = keyof typeof rules;

/** More parts than these are not named. */
const mostParts = 200;

/** Characters of a part that are named. */
const longestText = 200;

/**
 * @openapi
 * components:
 *   schemas:
 *     RemovedParts:
 *       type: array
 *       description: >-
 *         Parts of the text that the site does not show as they were written: at most 200, sorted
 *         by line. Raw HTML is not listed, because the site shows it as text. The response to a
 *         preview always contains this list. The response to a request that saves a text contains
 *         it only if there are such parts.
 *       maxItems: 200
 *       items: { $ref: '#/components/schemas/RemovedPart' }
 *     RemovedPart:
 *       type: object
 *       description: A part of a text that the site does not show as it was written.
 *       additionalProperties: false
 *       required: [kind, line, text, address, rule, message]
 *       properties:
 *         kind:
 *           type: string
 *           enum: [link, image, table_cell, definition, footnote, code_info, character]
 *         line:
 *           type: integer
 *           description: >-
 *             Number of the line on which the part begins, or on which the paragraph that contains
 *             the part begins.
 *           minimum: 1
 *           example: 3
 *         text:
 *           type: string
 *           description: >-
 *             For a link its words, for an image its alternative text, and for all other kinds the
 *             part itself. At most 200 characters.
 *           example: our files
 *         address:
 *           type: string
 *           nullable: true
 *           description: >-
 *             URL of the link or image, at most 200 characters. Null for other kinds.
 *           example: 'ftp://files.example.org/'
 *         rule:
 *           type: string
 *           description: Rule that the part breaks, as a code for programs.
 *           enum: [link_scheme, link_malformed, link_user, link_host, image_source, table_width, definition_unused, definition_repeated, footnote_unused, footnote_repeated, code_info, control_character]
 *           example: link_scheme
 *         message:
 *           type: string
 *           description: Rule that the part breaks, as a sentence for people.
 *           example: A link has one of the schemes http, https, mailto, tel, steam, discord, ts3server, mumble, or no scheme. The words stay.
 */
export interface RemovedPart {
  readonly kind: (typeof rules)[RemovalRule]["kind"];
  /** From 1 on. */
  readonly line: number;
  readonly text: string;
  readonly address: string | null;
  readonly rule: RemovalRule;
  readonly message: string;
}

interface FoundPart {
  readonly rule: RemovalRule;
  readonly line: number;
  readonly text: string;
  readonly address?: string;
}

/** Collects the parts of one text that are not shown as they were written. */
export class RemovedParts {
  readonly #parts: RemovedPart[] = [];
  readonly #schemes: readonly string[];

  /** @param addedSchemes those of `CONTENT_LINK_SCHEMES` */
  constructor(addedSchemes: readonly string[]) {
    this.#schemes = linkSchemes(addedSchemes);
  }

  add({ rule, line, text, address }: FoundPart): void {
    if (this.#parts.length >= mostParts) return;
    const { kind, message } = rules[rule];
    this.#parts.push({
      kind,
      line,
      text: shorten(text, longestText),
      address: address === undefined ? null : shorten(address, longestText),
      rule,
      message: message(this.#schemes),
    });
  }

  /** The first two hundred, in the order of their lines. */
  list(): RemovedPart[] {
    return this.#parts.toSorted((one, other) => one.line - other.line);
  }
}
