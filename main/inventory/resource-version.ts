/**
 * Whether a resource version is before another. Kubernetes has them as decimal numbers that only grow, within one kind
 * (KEP-5504); of any other form nothing is known, and nothing is wrong.
 */
export function isBefore(one: string, other: string): boolean {
  if (!/^[1-9]\d*$/.test(one) || !/^[1-9]\d*$/.test(other)) {
    return false;
  }
  return one.length === other.length ? one < other : one.length < other.length;
}
