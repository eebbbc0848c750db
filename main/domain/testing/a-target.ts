import type { Target } from '../target/target.ts';

/** A cluster by that name as a target, without a configuration behind it. */
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
