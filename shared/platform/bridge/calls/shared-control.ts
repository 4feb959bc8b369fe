import type { Control } from "./control.ts";

/** Connections that are closed when nobody needs them any more: a command is not cut in two. */
export class SharedControl {
  readonly #control: Control;
  #calls = 0;
  #isRetired = false;

  constructor(control: Control) {
    this.#control = control;
  }

  async lend<Answer>(make: (control: Control) => Promise<Answer>): Promise<Answer> {
    this.#calls += 1;
    try {
      return await make(this.#control);
    } finally {
      this.#calls -= 1;
      this.#closeIfDone();
    }
  }

  retire(): void {
    this.#isRetired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#calls === 0) this.#control.close();
  }
}
