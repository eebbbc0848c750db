import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { isBareName } from '../../domain/program/plugin-search-path.ts';
import {
  type NoProgram,
  noInterpreterText,
  noProgramText,
  type Program,
  programLines,
  programWords,
} from '../../domain/program/program.ts';
import {
  changedProgram,
  lookAtWriters,
  type ProgramCheck,
  unpinnableHint,
  unpinnableText,
  unsafeText,
} from '../../domain/program/program-check.ts';
import type { AccountProgram } from '../../domain/program/program-of.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { visibleLine, visibleText } from '../../domain/text/visible-text.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';

/** What `lanyard doctor` sees of a plugin's program or module: where it is, whose, whether it may be used. Runs nothing. */
export async function observeProgram(
  account: LoadedAccount,
  plugin: Pick<ExecPluginConfig, 'command' | 'installHint'> & Pick<AccountProgram, 'isLibrary'>,
  programs: Pick<PluginPrograms, 'check' | 'openFolders'>,
): Promise<Observation[]> {
  const check = await programs.check(account);
  const { facts } = check;
  const found = observe('account.program');
  if (facts.kind !== 'program') {
    const key = keyOf(account, plugin, facts);
    const change = key === 'searchPath' ? 'add its folder to searchPath' : `change the ${key}`;
    const hint =
      visibleLine(plugin.installHint ?? '') ||
      `install it, or ${change} of the account ${account.name} in config.yaml`;
    const command = facts.kind === 'missing' ? `${visibleText(plugin.command, 200)}: ` : '';
    return [found.problem(`${command}${noProgramText(facts)}`, hint, key)];
  }
  // A library starts nothing by name.
  const open = plugin.isLibrary ? [] : await programs.openFolders(account);
  return [
    observeFault(account.name, facts, check) ?? found.ok(programLines(facts)[0] ?? facts.path),
    ...observeDetails(facts, check),
    ...open.map(({ path, who }) =>
      observe('account.program.path').warning(
        `${who} can write ${visibleText(path)}, on the plugin’s PATH: what it starts by name could be theirs`,
        `take the folder out of searchPath, or look: ls -ld ${visibleText(shellWord(path))}`,
      ),
    ),
  ];
}

/** The key that fixes it: a bare name may be in a folder that isn’t searched. */
function keyOf(
  { config }: LoadedAccount,
  { command, isLibrary }: Parameters<typeof observeProgram>[1],
  { kind }: NoProgram,
): 'searchPath' | 'module' | 'helper' | 'command' {
  if (isLibrary) {
    return 'module';
  }
  if (kind === 'missing' && isBareName(command)) {
    return 'searchPath';
  }
  return 'credentialHelper' in config ? 'helper' : 'command';
}

function observeFault(name: string, program: Program, check: ProgramCheck): Observation | null {
  const found = observe('account.program');
  switch (check.fault) {
    case null:
      return program.interpreter?.isMissing
        ? found.problem(
            `${visibleText(program.path)} can’t be run: ${noInterpreterText(program.interpreter)}`,
            `look: head -n 1 ${visibleText(shellWord(program.path))}`,
          )
        : null;
    case 'unsafe':
      return found.problem(unsafeText(program), lookAtWriters(program));
    case 'moved':
      return found.warning(
        `its ${programWords(program).noun} would be ${visibleText(program.path)} now; confirmed is ${visibleText(check.bound?.path ?? '')}`,
        `lanyard confirm ${name}`,
      );
    case 'changed':
      return changedProgram(name, check) === null
        ? found.problem(unpinnableText(program), unpinnableHint(program))
        : found.warning(
            `${visibleText(program.path)} has changed since it was confirmed`,
            `lanyard confirm ${name}`,
          );
  }
}

function observeDetails(program: Program, { bound, fault }: ProgramCheck): Observation[] {
  const notes: Observation[] = [];
  const path = visibleText(program.path);
  if (fault === null && bound === null) {
    notes.push(
      observe('account.program.bound').note(
        `${path} is bound when it is first ${programWords(program).used}`,
      ),
    );
  } else if (fault === null && bound?.sha256 !== program.sha256) {
    const message = `${path} has changed since it was confirmed, as an update changes it; pin: true would hold it`;
    notes.push(observe('account.program.bound').note(message));
  }
  if (program.writers === null) {
    notes.push(observe('account.program.writers').note(`who else can write ${path} is unknown here`));
  }
  if (program.interpreter?.searched) {
    const message = `${path} is a script: ${visibleText(program.interpreter.searched)} is searched for in its PATH at each run`;
    notes.push(observe('account.program.interpreter').note(message));
  }
  return notes;
}
