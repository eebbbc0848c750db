import type { Target } from '../target/target.ts';

/** A cluster of that name as a target, without the configuration that it would be made from. */
export function aTarget(more: Partial<Target> = {}): Target {
  const { name = 'prod' } = more;
  return {
    kind: 'cluster',
    name,
    account: 'corp',
    audience: null,
    shape: `the shape of ${name}`,
    approval: 'never',
    address: `https://${name}`,
    cluster: null,
    ...more,
  };
}
