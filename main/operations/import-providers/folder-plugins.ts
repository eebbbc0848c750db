import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BrokerError } from '../../contract/broker-error.ts';
import type { FolderPlugin } from '../../domain/import/providers/planned-provider.ts';
import type { NoProgram, ProgramFacts } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { systemWords } from './read-config.ts';

/** What an absolute path leads to. */
export type InspectPath = (path: string) => Promise<ProgramFacts>;

/**
 * The plugins of these providers, by name, in the folder that --image-credential-provider-bin-dir names
 * (KEP-2133/plugin-folder). A link out of the
 * folder is none, although a kubelet follows it. Throws BrokerError (reason usage) in the kubelet’s words where there is
 * no such folder.
 */
export async function folderPlugins(
  folder: string,
  names: readonly string[],
  inspect: InspectPath,
): Promise<Map<string, FolderPlugin>> {
  const real = await realFolder(folder);
  const found = new Map<string, FolderPlugin>();
  for (const name of names) {
    found.set(name, await pluginAt(join(folder, fileName(name)), real, inspect));
  }
  return found;
}

async function realFolder(folder: string): Promise<string> {
  const shown = visibleText(folder, 500);
  try {
    if ((await stat(folder)).isDirectory()) {
      return await realpath(folder);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw noFolder(
      code === 'ENOENT'
        ? `plugin binary directory ${shown} did not exist`
        : `error inspecting binary directory ${shown}: ${systemWords(error)}`,
    );
  }
  throw noFolder(`plugin binary directory ${shown} is not a directory`);
}

function noFolder(message: string): BrokerError {
  return new BrokerError('registry.binFolder', message, {
    reason: 'usage',
    hint: 'name the folder that the kubelet has as --image-credential-provider-bin-dir',
  });
}

function fileName(name: string): string {
  return process.platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name;
}

async function pluginAt(path: string, folder: string, inspect: InspectPath): Promise<FolderPlugin> {
  const facts = await inspect(path);
  if (facts.kind !== 'program') {
    return { ok: false, fault: `${absences[facts.kind](visibleText(path, 500))}` };
  }
  const inside = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  return facts.target.startsWith(inside)
    ? { ok: true, path, program: facts }
    : {
        ok: false,
        fault: `${visibleText(path, 500)} is a link out of the plugin folder, to ${visibleText(facts.target, 500)}`,
      };
}

const absences: Readonly<Record<NoProgram['kind'], (path: string) => string>> = {
  missing: (path) => `plugin binary executable ${path} did not exist`,
  notExecutable: (path) => `error inspecting binary executable ${path}: permission denied`,
  folder: (path) => `error inspecting binary executable ${path}: is a directory`,
  notAFile: (path) => `error inspecting binary executable ${path}: it is not a file`,
  otherKind: (path) => `error inspecting binary executable ${path}: Windows runs no such files`,
  elsewhere: (path) => `error inspecting binary executable ${path}: it is on another machine`,
};
