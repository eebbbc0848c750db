import { copyFileSync, existsSync, linkSync } from 'node:fs';
import { join } from 'node:path';

/** Node in `folder`, where another user can run it: the checkout may lie in a folder that is closed to others. */
export function nodeForAnyone(folder: string): string {
  const node = join(folder, 'node');
  if (!existsSync(node)) {
    try {
      linkSync(process.execPath, node);
    } catch {
      copyFileSync(process.execPath, node); // another file system
    }
  }
  return node;
}
