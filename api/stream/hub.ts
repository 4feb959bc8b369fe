import type { Registry } from "prom-client";

import type { Context } from "../../shared/context.ts";

export class EventStreams {
  constructor(_context: Context, _registry: Registry) {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}
