import type { SurvivalContext } from "../survival/context.ts";
import { exportParts } from "./catalogue.ts";

/** Yields a user's data as chunks of one JSON text. At most one page of rows is in memory. */
export async function* writeOwnData(
  userId: number,
  context: SurvivalContext,
): AsyncGenerator<string> {
  const { account, ...others } = exportParts;
  const [now, begun] = [new Date(), await account.read(userId, context)];
  yield `{"exported_at":${JSON.stringify(now)},"account":${JSON.stringify(begun)}`;
  for (const [name, part] of Object.entries(others)) {
    yield `,${JSON.stringify(name)}:`;
    if (part.kind === "pages") yield* writePages(part.read(userId, context));
    else yield JSON.stringify(await part.read(userId, context));
  }
  yield "}";
}

async function* writePages(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let isFirst = true;
  yield "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? "" : ","}${page.map((row) => JSON.stringify(row)).join(",")}`;
    isFirst = false;
  }
  yield "]";
}
