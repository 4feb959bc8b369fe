import { readFileSync } from "node:fs";
import path from "node:path";

import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

/**
 * The file that `npm run docs` writes. Read the file, because test processes should not load all
 * modules of the service.
 */
const descriptionFile = path.join(import.meta.dirname, "../../../api/openapi.json");

/** The parts of an answer that are compared with the API description. */
export interface AnswerToValidate {
  readonly method: string;
  /** The path from the root. It may have a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly errorCode: string | undefined;
  readonly text: string;
}

/** A block of an event stream. */
export interface BlockToValidate {
  readonly path: string;
  readonly block: object;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An answer in the API description, with its JSON pointer. */
interface DocumentedAnswer extends Answer {
  readonly pointer: string;
}

interface Template {
  readonly segments: readonly string[];
  readonly pointer: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

/** The statuses that an answer may have if the description does not contain its path or method. */
const refusalsOfUnknown: readonly number[] = [400, 403, 404, 405, 429, 503];
/** Paths of routes that tests add to those of the service. */
const ofTests = /^\/api\/v1\/test\//;

/** Compares answers with both API descriptions. A schema is compiled when it is first needed. */
export class AnswerChecks {
  readonly #sets: Readonly<Record<string, Description>>;
  readonly #templates: readonly Template[];
  readonly #ajv = new Ajv({ strict: false, validateSchema: false });
  readonly #validators = new Map<string, ValidateFunction>();
  /** The number of answers and blocks that were compared. */
  checked = 0;

  constructor() {
    addFormats.default(this.#ajv);
    this.#ajv.addFormat("uri-reference", true);
    this.#sets = JSON.parse(readFileSync(descriptionFile, "utf8")) as Record<string, Description>;
    for (const [set, description] of Object.entries(this.#sets)) {
      this.#ajv.addSchema(description, set);
    }
    this.#templates = Object.entries(this.#sets).flatMap(([set, { paths }]) =>
      Object.entries(paths).map(([template, operations]) => ({
        segments: template.split("/"),
        pointer: `${set}#/paths/${escaped(template)}`,
        operations,
      })),
    );
  }

  /** Returns how an answer differs from its description, or undefined if it does not. */
  faultOf(given: AnswerToValidate): string | undefined {
    const [place = ""] = given.path.split("?");
    if (!place.startsWith("/api/v1/") || ofTests.test(place)) return undefined;
    this.checked += 1;
    const operation = this.#find(place, given.method);
    if (!operation) {
      const isRefusal = refusalsOfUnknown.includes(given.status) || given.method === "OPTIONS";
      return isRefusal ? undefined : "the description has no such operation";
    }
    const documented = this.#answerOf(operation, given.status);
    if (!documented) return `the description lists no answer ${given.status}`;
    return faultOfCode(documented, given.errorCode) ?? this.#faultOfBody(documented, given);
  }

  /**
   * Returns how a block of an event stream differs from its description, or undefined if it does
   * not.
   */
  faultOfBlock({ path: given, block }: BlockToValidate): string | undefined {
    const operation = this.#find(given.split("?")[0] ?? "", "GET");
    const pointer = operation && this.#answerOf(operation, 200)?.pointer;
    if (pointer === undefined) return "the description has no such stream";
    this.checked += 1;
    return this.#faultOfValue(`${pointer}/content/${escaped("text/event-stream")}/schema`, block);
  }

  #find(place: string, method: string): (Operation & { readonly pointer: string }) | undefined {
    const segments = place.split("/");
    const name = method === "HEAD" ? "get" : method.toLowerCase();
    const [best] = this.#templates
      .filter((template) => name in template.operations && fits(template.segments, segments))
      .toSorted((one, other) => parameters(one) - parameters(other));
    const operation = best?.operations[name];
    return operation && { ...operation, pointer: `${best?.pointer}/${name}` };
  }

  #answerOf(
    { responses, pointer }: Operation & { readonly pointer: string },
    status: number,
  ): DocumentedAnswer | undefined {
    const answer = responses[status];
    if (!answer) return undefined;
    if (answer.$ref === undefined) return { ...answer, pointer: `${pointer}/responses/${status}` };
    const set = pointer.slice(0, pointer.indexOf("#"));
    return { ...this.#resolve(set, answer.$ref), pointer: set + answer.$ref };
  }

  #resolve(set: string, reference: string): Answer {
    const steps = reference.slice("#/".length).split("/");
    return steps.reduce<unknown>(
      (value, step) => (value as Record<string, unknown>)[step],
      this.#sets[set],
    ) as Answer;
  }

  #faultOfBody(
    { content, pointer }: DocumentedAnswer,
    given: AnswerToValidate,
  ): string | undefined {
    const { text, contentType = "", method } = given;
    if (method === "HEAD") return undefined;
    const type = contentType.split(";")[0] ?? "";
    if (!content) return text === "" ? undefined : "the description says that it has no body";
    if (!(type in content)) return `the description lists no body of type "${type}"`;
    if (!type.endsWith("json")) return undefined;
    return this.#faultOfValue(`${pointer}/content/${escaped(type)}/schema`, JSON.parse(text));
  }

  #faultOfValue(pointer: string, value: unknown): string | undefined {
    const validate = this.#validators.get(pointer) ?? this.#compile(pointer);
    if (validate(value)) return undefined;
    const faults = validate.errors?.slice(0, 8).map(({ instancePath, message, params }) => {
      return `  ${instancePath || "(all of it)"} ${message} ${JSON.stringify(params)}`;
    });
    return ["it is not what the description says:", ...(faults ?? [])].join("\n");
  }

  #compile(pointer: string): ValidateFunction {
    const validate = this.#ajv.compile({ $ref: pointer });
    this.#validators.set(pointer, validate);
    return validate;
  }
}

/** If the description of an answer lists error codes, the answer must have one of them. */
function faultOfCode({ description = "" }: DocumentedAnswer, code: string | undefined) {
  const [, listed] = /Codes?: (.+)$/s.exec(description) ?? [];
  const isListed = listed === undefined || listed.includes(`\`${code}\``);
  return isListed || code === undefined
    ? undefined
    : `the answer's description does not list the code ${code}`;
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, place) =>
    isParameter(part) ? segments[place] !== "" : part === segments[place],
  );

const parameters = ({ segments }: Template): number => segments.filter(isParameter).length;

/** Escapes a part of a JSON pointer for a URL. */
const escaped = (step: string): string =>
  encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
