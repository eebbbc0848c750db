import { expect, test } from 'vitest';
import { judgePlugin, type PluginVerdict } from './plugin-policy.ts';

const helper = '/home/me/.local/share/lanyard/bin/lanyard';
const onPath: Record<string, string> = { lanyard: '/home/me/.local/bin/lanyard', helper };

// As client-go judges (kubectl 1.35): verbatim, or by what exec.LookPath makes of an entry.
test.each<[policy: string, allowed: string[] | null, verdict: PluginVerdict['kind']]>([
  ['', null, 'permitted'],
  ['AllowAll', null, 'permitted'],
  ['DenyAll', null, 'denied'],
  ['Allowlist', [helper], 'permitted'],
  ['Allowlist', ['/usr/bin/aws', helper], 'permitted'],
  ['Allowlist', ['helper'], 'permitted'],
  // A link of that name on PATH is not followed.
  ['Allowlist', ['lanyard'], 'notListed'],
  ['Allowlist', ['aws'], 'notListed'],
  // Of a list with such an entry client-go takes nothing.
  ['Allowlist', [helper, '/opt//aws'], 'misconfigured'],
  ['Allowlist', ['/opt/../usr/bin/aws', helper], 'misconfigured'],
  ['Allowlist', [helper, './aws'], 'misconfigured'],
  ['Allowlist', [helper, '/opt/'], 'misconfigured'],
  ['Allowlist', [], 'misconfigured'],
  ['Allowlist', null, 'misconfigured'],
  ['Allowlist', [helper, ''], 'misconfigured'],
  ['', [helper], 'misconfigured'],
  ['AllowAll', [helper], 'misconfigured'],
  ['DenyAll', [helper], 'misconfigured'],
  ['allowlist', [helper], 'misconfigured'],
])('policy %s with %s: %s', async (policy, allowed, kind) => {
  const verdict = await judgePlugin({ policy, allowed }, helper, async (name) => onPath[name] ?? null);
  expect(verdict.kind).toBe(kind);
});
