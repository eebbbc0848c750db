/** Where no range is known: below those of Linux, macOS and Windows. */
const usual = { low: 32_768, high: 65_535 };
const lowest = 20_000;
const highest = 65_535;

/**
 * A port for a listener that has to get the same one again: outside the range from which the system takes ports for
 * outgoing connections. `range`: `/proc/sys/net/ipv4/ip_local_port_range`, null: unknown; `random`: from 0 up to 1.
 */
export function choosePort(range: string | null, random: number): number {
  const [low = usual.low, high = usual.high] = (range?.match(/^(\d+)\s+(\d+)/) ?? []).slice(1).map(Number);
  const free =
    low - lowest >= 1_000
      ? { from: lowest, to: low }
      : highest - high >= 1_000
        ? { from: high + 1, to: highest + 1 }
        : { from: lowest, to: usual.low };
  return free.from + Math.floor(random * (free.to - free.from));
}
