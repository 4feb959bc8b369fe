import { describe, expect, it } from "vitest";

import { describeApi } from "../../api/description/openapi.ts";
import { routes } from "../../api/routes.ts";

type Referring = { readonly $ref?: string };

interface Answer extends Referring {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Referring }>>;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

interface Operation {
  readonly parameters?: readonly (Referring & { readonly name?: string })[];
  readonly responses: Readonly<Record<string, Answer>>;
}

const lastOf = ({ $ref = "" }: Referring): string => $ref.split("/").at(-1) ?? "";

/**
 * The operations of the API description, each with its parameters and the headers of its answers.
 */
const operations = (["core", "additive"] as const).flatMap((set) => {
  const { paths, components } = describeApi(routes, set) as unknown as Described;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses }]) => ({
      name: `${method.toUpperCase()} ${path.replace("/api/v1", "")}`,
      takes: parameters.map((one) => one.name ?? lastOf(one)),
      answers: Object.entries(responses).map(([status, answer]) => ({
        status: Number(status),
        ...(components.responses[lastOf(answer)] ?? answer),
      })),
    })),
  );
});

const answers = operations.flatMap(({ name, takes, answers: given }) =>
  given.map((answer) => ({ name: `${name} ${answer.status}`, takes, ...answer })),
);

const isAcceptedJob = ({ content = {} }: Answer): boolean =>
  Object.values(content).some(({ schema = {} }) => lastOf(schema) === "AcceptedJob");

/** Returns the names of the answers whose description lacks the header. */
function lacking(header: string, among: typeof answers): string[] {
  expect(among.length).toBeGreaterThan(1);
  return among.filter(({ headers = {} }) => !(header in headers)).map(({ name }) => name);
}

const taking = (header: string): string[] =>
  operations.filter(({ takes }) => takes.includes(header)).map(({ name }) => name);

describe("the API description declares", () => {
  it("X-Request-Id on every response and X-Error-Code on every error", () => {
    expect(lacking("X-Request-Id", answers)).toEqual([]);
    expect(
      lacking(
        "X-Error-Code",
        answers.filter(({ status }) => status >= 400),
      ),
    ).toEqual([]);
  });

  it("Retry-After on every 429 and 503", () => {
    const early = answers.filter(({ status }) => status === 429 || status === 503);
    expect(lacking("Retry-After", early)).toEqual([]);
  });

  it("Location on every redirect and every accepted job", () => {
    const leading = answers.filter(
      (answer) => answer.status === 302 || (answer.status === 202 && isAcceptedJob(answer)),
    );
    expect(lacking("Location", leading)).toEqual([]);
  });

  it("Prefer and Preference-Applied exactly where a request may be answered with a job", () => {
    const byJob = answers.filter(isAcceptedJob);
    expect(lacking("Preference-Applied", byJob)).toEqual([]);
    expect(byJob.map(({ name }) => name.replace(/ 202$/, ""))).toEqual(taking("Prefer"));
    expect(taking("Prefer")).toContain("POST /admin/shard/atlas/import");
  });

  it("Last-Event-ID on the streams whose events have ids", () => {
    expect(taking("Last-Event-ID")).toEqual([
      "GET /public/shard/stream",
      "GET /admin/shardlink/stream",
      "GET /public/survival/servers/{id}/stream",
    ]);
  });

  it("Idempotency-Key on every shard write by staff or players", () => {
    const acts = operations
      .filter(({ name }) => /^(?:POST|PUT|PATCH|DELETE) \/(?:admin|player)\/shard/.test(name))
      .filter(({ answers: given }) => given.some(({ status }) => status === 502));
    expect(acts.length).toBeGreaterThan(8);
    const without = acts.filter(({ takes }) => !takes.includes("Idempotency-Key"));
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
