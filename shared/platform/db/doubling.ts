/** Where the numbers of a time that doubles stand in a statement: parameters or expressions. */
export interface DoublingTime {
  /** Seconds of the first one. */
  readonly first: string;
  /** Seconds that none exceeds. */
  readonly longest: string;
  /** How many came before it. */
  readonly before: string;
}

/** SQL of an interval that is twice as long each time. It is bounded before it is one: intervals overflow. */
export const doublingTime = ({ first, longest, before }: DoublingTime): string =>
  `make_interval(secs => least(${longest}, ${first} * power(2, least(${before}, 30))))`;
