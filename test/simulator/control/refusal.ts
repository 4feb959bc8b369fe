export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
  /** A file whose bytes are sent instead of the body. */
  readonly file?: {
    readonly bytes: Buffer;
    readonly headers: Readonly<Record<string, string>>;
  };
}

export const createOkAnswer = (body: unknown): ControlAnswer => ({ status: 200, body });

/** An error whose answer the control plane sends when a route throws it. */
export class Refusal extends Error {
  readonly answer: ControlAnswer;

  constructor(status: number, code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.name = "Refusal";
    this.answer = { status, body: { code, ...details } };
  }
}

export const refuse = (
  status: number,
  code: string,
  details?: Readonly<Record<string, unknown>>,
): Refusal => new Refusal(status, code, details);

export const refuseField = (field: string, reason: string): Refusal =>
  refuse(400, "INVALID", { field, reason });
export const refuseMissing = (): Refusal => refuse(404, "NOT_FOUND");
