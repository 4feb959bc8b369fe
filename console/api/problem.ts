import { words } from "../words/words.ts";

/** A fault of one field. `path` names the field, with dots or as a JSON pointer. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

interface RefusalBody {
  readonly error?: string;
  readonly message?: string;
  readonly errors?: readonly Fault[];
  readonly current?: unknown;
}

/** A refusal of the service. `status` 0: no answer arrived. */
export class Problem extends Error {
  readonly status: number;
  /** The error code of the service, which stays the same between releases. */
  readonly code: string;
  readonly faults: readonly Fault[];
  /** The stored object, if somebody changed it since it was read. */
  readonly current: unknown;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(text: string, body: RefusalBody = {}, response?: Response) {
    super(text);
    this.name = "Problem";
    this.status = response?.status ?? 0;
    this.faults = body.errors ?? [];
    this.current = body.current;
    const headers = response?.headers ?? new Headers();
    this.code = headers.get("x-error-code") ?? "";
    this.requestId = headers.get("x-request-id");
    const wait = headers.get("retry-after") ?? "";
    // A proxy may name a date instead of seconds.
    this.retryAfterSeconds = /^\d+$/.test(wait) ? Number(wait) : null;
  }
}

/** Reads the refusal in an answer of the service, or of a proxy in front of it. */
export async function readProblem(response: Response): Promise<Problem> {
  const body = parseBody(await response.text().catch(() => ""));
  const text = body.error ?? body.message ?? body.errors?.[0]?.message;
  return new Problem(text ?? words.problems.status(response.status), body, response);
}

function parseBody(text: string): RefusalBody {
  try {
    return Object(JSON.parse(text)) as RefusalBody;
  } catch {
    return {};
  }
}
