/** One connection's part of the budget. */
export interface FrameShare {
  /** How many bytes of an unfinished frame it holds now. May end another's connection, or its own. */
  holds(bytes: number): void;
  /** It holds nothing any more, and never will. */
  leave(): void;
}

/** The size of incomplete frames on all connections together. */
export interface FrameBudget {
  /** Present size in bytes. */
  held(): number;
  /** `drop` ends the connection, and lets go of what it holds. */
  join(drop: () => void): FrameShare;
}

/**
 * Bounds what unfinished frames take. Where they take more, the connection with the most of them is dropped: what a
 * helper says is small and comes at once, so that it isn't the one (rule: bounded-input).
 */
export function createFrameBudget(limitBytes: number): FrameBudget {
  const shares = new Map<FrameShare, { bytes: number; drop(): void }>();
  let total = 0;

  function set(share: FrameShare, bytes: number): void {
    const entry = shares.get(share);
    if (entry) {
      total += bytes - entry.bytes;
      entry.bytes = bytes;
    }
  }

  function leave(share: FrameShare): void {
    set(share, 0);
    shares.delete(share);
  }

  return {
    held: () => total,
    join(drop) {
      const share: FrameShare = {
        holds(bytes) {
          set(share, bytes);
          while (total > limitBytes) {
            const [largest, entry] = [...shares].reduce((most, each) =>
              each[1].bytes > most[1].bytes ? each : most,
            );
            leave(largest);
            entry.drop();
          }
        },
        leave: () => leave(share),
      };
      shares.set(share, { bytes: 0, drop });
      return share;
    },
  };
}
