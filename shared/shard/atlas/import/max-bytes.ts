const mebibyte = 1024 * 1024;

/** Files that are read piece by piece may be larger than those that are parsed whole. */
export const maxBytes = { streamed: 64 * mebibyte, whole: 16 * mebibyte, tree: 256 * mebibyte };
