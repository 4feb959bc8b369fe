export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Bytes sent in place of the body, with their headers. */
  readonly file?: {
    readonly bytes: Buffer;
    readonly headers: Readonly<Record<string, string>>;
  };
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** A refusal of the control plane; throw it to send its answer. */
export class Refusal extends Error {
  readonly answer: Answer;

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
