/** How much each group measures. */
export interface Extent {
  /** How often a call is timed, of so many in a full run. */
  count(whole: number): number;
  /** How often what takes seconds is repeated. */
  rounds(whole: number): number;
  storm: { rounds: number; calls: number };
  /** Calls before the memory is looked at. */
  memoryCalls: number;
  contexts: number;
  /** Rows of history. */
  rows: number;
  events: number;
  /** Of a large body. */
  bodyBytes: number;
  /** Until what was started has nothing left to do. */
  rest(milliseconds: number): number;
  /** In which nothing happens but time. */
  idle(milliseconds: number): number;
}

/** `full` is what the limits are for. `quick` measures less often. `short` runs everything once, and times nothing. */
export const extents: Record<'full' | 'quick' | 'short', Extent> = {
  full: {
    count: (whole) => whole,
    rounds: (whole) => whole,
    storm: { rounds: 5, calls: 1_000 },
    memoryCalls: 10_000,
    contexts: 2_000,
    rows: 1_000_000,
    events: 25,
    bodyBytes: 2 ** 30,
    rest: (milliseconds) => milliseconds,
    idle: (milliseconds) => milliseconds,
  },
  quick: {
    count: (whole) => Math.max(20, Math.round(whole / 5)),
    rounds: (whole) => Math.ceil(whole / 3),
    storm: { rounds: 3, calls: 1_000 },
    memoryCalls: 2_000,
    contexts: 2_000,
    rows: 100_000,
    events: 20,
    bodyBytes: 2 ** 30,
    rest: (milliseconds) => milliseconds,
    idle: (milliseconds) => milliseconds / 4,
  },
  short: {
    count: () => 2,
    rounds: () => 1,
    storm: { rounds: 1, calls: 100 },
    memoryCalls: 50,
    contexts: 20,
    rows: 2_000,
    events: 1,
    bodyBytes: 2 ** 24,
    rest: () => 0,
    idle: () => 500,
  },
};
