import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, start } from '../support/processes.ts';
import type { PlatformHome } from './platform-home.ts';

/** A program that has a file open. On Windows no other can be renamed over it meanwhile. */
export class HeldFile {
  readonly #end: string;
  readonly #running: Running;

  private constructor(end: string, running: Running) {
    this.#end = end;
    this.#running = running;
  }

  /** By a shell’s redirection: Node.js opens files on Windows so that they can be renamed and removed. */
  static async hold(home: PlatformHome, file: string): Promise<HeldFile> {
    const end = join(home.outside, 'end of hold');
    const program = home.write(
      'hold.mjs',
      `import { existsSync, rmSync } from 'node:fs';
       console.log('held');
       setInterval(() => {
         if (existsSync(process.argv[2])) {
           rmSync(process.argv[2]);
           process.exit();
         }
       }, 20);`,
    );
    // A batch file is read in a code page that may not have the file’s name; a variable has it.
    const [line, env] = [`"${process.execPath}" "${program}" "${end}" <`, { ...home.env, HELD: file }];
    const [shell, words, text] =
      process.platform === 'win32'
        ? [process.env['ComSpec'] ?? '', ['/d', '/c'], `@${line} "%HELD%"\r\n`]
        : ['/bin/sh', [], `${line} "$HELD"\n`];
    const running = start(shell, [...words, home.write('hold.cmd', text)], { env });
    await running.waitForLine(/^held$/, 60_000);
    return new HeldFile(end, running);
  }

  async release(): Promise<void> {
    writeFileSync(this.#end, '');
    await this.#running.ended;
  }
}
