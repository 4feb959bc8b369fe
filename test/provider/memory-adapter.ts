import type { Adapter, AdapterPayload } from "oidc-provider";

/** The provider's data, stored in memory. */
const kept = new Map<string, AdapterPayload>();

export class MemoryAdapter implements Adapter {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    kept.set(this.#key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return kept.get(this.#key(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#all().find((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#all().find((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = kept.get(this.#key(id));
    if (payload) kept.set(this.#key(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    kept.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
  }

  #key(id: string): string {
    return `${this.#name} ${id}`;
  }

  #all(): AdapterPayload[] {
    return [...kept]
      .filter(([key]) => key.startsWith(`${this.#name} `))
      .map(([, payload]) => payload);
  }
}
