import { access, constants, lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { visibleText } from '../../domain/text/visible-text.ts';

/**
 * Why Lanyard’s contexts don’t belong into this file, for people, as the end of a sentence about it; null: they may. What
 * another program makes anew would lose them, or be changed behind its back. `text`: what it holds; null: it isn’t there.
 */
export async function managedElsewhere(
  file: string,
  text: string | null,
  homeDirectory: string | null,
): Promise<string | null> {
  const target = await realpath(file).catch(() => file);
  if (/^\/nix\/store\//.test(target)) {
    return 'is made by Nix, which replaces it';
  }
  for (const name of [file, dirname(file)]) {
    const found = await lstat(name).catch(() => null);
    if (found?.isSymbolicLink()) {
      const leadsTo = visibleText(await readlink(name).catch(() => '?'));
      return name === file
        ? `is a symbolic link to ${leadsTo}, which another program may manage`
        : `is in ${visibleText(name)}, a symbolic link to ${leadsTo}, which another program may manage`;
    }
  }
  const generator = /^\s*#.*?\b(home-manager|chezmoi|nix|ansible|generated|do not edit|managed by)\b/im.exec(
    leadingComments(text ?? ''),
  );
  if (generator) {
    return `is made by another program, as its first lines say (${generator[1]})`;
  }
  if (homeDirectory !== null && (await isOfChezmoi(file, homeDirectory))) {
    return 'is managed by chezmoi, which replaces it';
  }
  return (await isReadOnly(file, text === null)) ? 'is read-only' : null;
}

function leadingComments(text: string): string {
  return /^\ufeff?(?:[ \t]*(?:#.*)?\r?\n)*/.exec(`${text.slice(0, 4_000)}\n`)?.[0] ?? '';
}

async function isReadOnly(file: string, isMissing: boolean): Promise<boolean> {
  const mayWrite = (path: string) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
  if (isMissing) {
    // Its folder may have to be made, too.
    let folder = dirname(file);
    while (folder !== dirname(folder) && !(await stat(folder).catch(() => null))) {
      folder = dirname(folder);
    }
    return !(await mayWrite(folder));
  }
  // root may write into any file, and whoever made it read-only meant programs of theirs, too.
  const isMarked = ((await stat(file)).mode & 0o200) === 0;
  return isMarked || !(await mayWrite(file)) || !(await mayWrite(dirname(file)));
}

/** Attributes are words in front of a name in chezmoi’s source: `private_dot_kube/readonly_config.tmpl`. */
async function isOfChezmoi(file: string, homeDirectory: string): Promise<boolean> {
  const parts = relative(homeDirectory, file).split(sep);
  if (parts[0] === '..') {
    return false;
  }
  let folder = join(homeDirectory, '.local', 'share', 'chezmoi');
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const plain = part.replace(/^\./, 'dot_');
    const found = (await readdir(folder).catch(() => [])).find((name) => {
      const bare = isLast ? name.replace(/\.(tmpl|age|asc)$/, '').replace(/\.tmpl$/, '') : name;
      return bare === plain || (bare.endsWith(`_${plain}`) && attributes.test(bare.slice(0, -plain.length)));
    });
    if (found === undefined) {
      return false;
    }
    folder = join(folder, found);
  }
  return true;
}

const attributes =
  /^(?:(?:create|modify|remove|run|symlink|encrypted|exact|private|readonly|empty|executable|literal|once|onchange)_)+$/;
