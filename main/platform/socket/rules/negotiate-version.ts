/** A range of versions of the helper's protocol, both ends included. */
export interface VersionRange {
  min: number;
  max: number;
}

/** The highest version that both speak, or which side is too old to go on. */
export function negotiateVersion(
  broker: VersionRange,
  helper: VersionRange,
): { ok: true; version: number } | { ok: false; tooOld: 'helper' | 'broker' } {
  const version = Math.min(broker.max, helper.max);
  if (version >= broker.min && version >= helper.min) {
    return { ok: true, version };
  }
  return { ok: false, tooOld: helper.max < broker.min ? 'helper' : 'broker' };
}
