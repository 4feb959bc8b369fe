import { AsyncLocalStorage } from "node:async_hooks";

const reading = new AsyncLocalStorage<true>();

/** Runs work that answers strangers: its statements get a part of the pool's connections alone. */
export const withinReadShare = <T>(work: () => T): T => reading.run(true, work);

/** Whether the statements of what runs here get a part of the pool's connections alone. */
export const isWithinReadShare = (): boolean => reading.getStore() === true;
