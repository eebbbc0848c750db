import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Test files in these folders that replace a module: those who share their process would get the replacement, too. */
export function mockingFiles(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter((file) => /\bvi\.(do)?[mM]ock\(/.test(readFileSync(join(root, file), 'utf8')));
}
