/** Whole microseconds of a clock that all processes of this machine share. */
export const now = (): number => Number(process.hrtime.bigint() / 1_000n);
