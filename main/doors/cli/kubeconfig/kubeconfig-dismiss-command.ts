import { resolve } from 'node:path';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { KubeconfigWatch } from '../../../kubeconfig/watch/kubeconfig-watch.ts';
import { type Command, done, parseWords } from '../command.ts';

/** `lanyard kubeconfig dismiss [FILE …]`: no offer any more of the users that are there now. */
export function kubeconfigDismissCommand({ watch }: { watch: KubeconfigWatch }): Command {
  return async (call) => {
    const { positionals } = parseWords('kubeconfig dismiss', call.args, ['[FILE …]'], {});
    await watch.look();
    const files = positionals.map((file) => resolve(call.cwd, file));
    const { dismissed, leaving, kept } = await watch.dismiss(files.length === 0 ? undefined : files);
    const lines = dismissed.map(({ file, importable }) => {
      const names = importable.map((name) => visibleText(name, 100));
      return `No longer offered of ${visibleText(file)}: ${names.join(', ')}`;
    });
    lines.push(...leaving.map(({ file, text }) => `Left as it is in ${visibleText(file)}: ${text}`));
    const warning = kept
      ? undefined
      : 'lanyard: that could not be written (the log says why): it holds until the agent ends';
    return done(lines.length === 0 ? 'Nothing is offered there.' : lines.join('\n'), warning);
  };
}
