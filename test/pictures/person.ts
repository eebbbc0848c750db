import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the pictures' person lives: its name is seen, so it is the same each time. */
const base = '/tmp/home';

/** A folder of that person's own, removed when the pictures are taken. Throws where somebody else has the name. */
export interface Person extends Disposable {
  readonly home: string;
  /** A program of theirs. */
  program(name: string): string;
}

export function makePerson(): Person {
  const home = join(base, 'dev');
  mkdirSync(base, { mode: 0o700 });
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  return {
    home,
    program: (name) => join(home, 'bin', name),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}
