import type { Program } from '../program/program.ts';

/** A program at `path` that root owns and no one else can write. */
export function someProgram(path: string, fields: Partial<Program> = {}): Program {
  return {
    kind: 'program',
    path,
    target: path,
    owner: { uid: 0, name: 'root' },
    mode: 0o755,
    size: 1,
    sha256: 'ab'.repeat(32),
    interpreter: null,
    writers: [],
    ...fields,
  };
}
