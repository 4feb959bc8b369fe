import { createHash } from "node:crypto";

/** Node copies a text into one write with its headers. Above this length, the copy costs more than it saves. */
const maxTextLength = 8_192;

export class TextAnswer {
  readonly mediaType: string;
  /** A long text is stored as bytes, so that a cached answer is encoded only once. */
  readonly content: string | Buffer;
  #etag: string | undefined;

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType;
    this.content = text.length > maxTextLength ? Buffer.from(text) : text;
  }

  /** Computed once, however often a cached answer is sent. */
  get etag(): string {
    return (this.#etag ??= etagOf(this.content));
  }
}

/** Derived only from the bytes of the answer, so it reveals nothing else. */
const etagOf = (bytes: string | Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
