import { createHash } from "node:crypto";

/** Node writes a text together with its head. Of a longer one the copy for that costs more than it saves. */
const longestText = 8_192;

/** A text of any media type. */
export class TextAnswer {
  readonly mediaType: string;
  /** A long one as bytes: a text would be encoded anew each time a kept answer is sent. */
  readonly content: string | Buffer;
  #etag: string | undefined;

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType;
    this.content = text.length > longestText ? Buffer.from(text) : text;
  }

  /** Worked out once, however often a kept answer is sent. */
  get etag(): string {
    return (this.#etag ??= etagOf(this.content));
  }
}

/** Names the bytes of an answer, and nothing that the caller does not see. */
const etagOf = (bytes: string | Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
