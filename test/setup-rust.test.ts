import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '..', 'scripts', 'setup.sh');

/** What set-up would install on a Debian without rustup: its functions that look at the machine are told what to see. */
function rustPackages(machine: {
  has: string;
  offered: string;
  user?: number;
  debianCargo?: string;
}): string {
  const { has, offered, user = 0, debianCargo = '' } = machine;
  const words = `
    . "$1"
    setup_purpose=test setup_packages="" setup_brings_rust=""
    setup_has() { case " ${has} " in *" $1 "*) ;; *) return 1 ;; esac; }
    setup_has_apt() { :; }
    id() { echo ${user}; }
    apt-get() { :; }
    dpkg-query() { ${debianCargo === '' ? 'return 1' : 'echo install ok installed'}; }
    setup_present_rust() { echo ${debianCargo}; }
    setup_offered_rust() { echo ${offered}; }
    setup_wanted_rust() { echo 88; }
    setup_find_rust
    echo "$setup_packages"`;
  return execFileSync('bash', ['-euo', 'pipefail', '-c', words, 'bash', script], { encoding: 'utf8' }).trim();
}

const all = 'rustc-web cargo-web rustfmt-web rust-web-clippy';

test.each<[string, string, Parameters<typeof rustPackages>[0]]>([
  ['none is there: Debian’s is brought', all, { has: '', offered: '96' }],
  ['Debian’s is too old: nothing is brought', '', { has: '', offered: '85' }],
  ['Debian has none: nothing is brought', '', { has: '', offered: '' }],
  ['who isn’t root installs nothing', '', { has: '', offered: '96', user: 1000 }],
  ['another is there: it stays', '', { has: 'cargo', offered: '96' }],
  [
    'Debian’s is there: what it lacks is added',
    'rust-web-clippy',
    { has: 'cargo cargo-fmt', offered: '96', debianCargo: '96' },
  ],
  ['Debian’s is there, and too old: it is renewed', all, { has: 'cargo', offered: '96', debianCargo: '85' }],
])('%s', (_, packages, machine) => {
  expect(rustPackages(machine)).toBe(packages);
});
