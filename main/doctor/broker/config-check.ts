import { counted } from '../../contract/ui/count-text.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { ConfigProblem } from '../../ports/config-store.ts';
import { type Check, firstOf, listed, type Observed } from '../check.ts';

const problemLimit = 20;

/**
 * Checks config.yaml: its errors, and (while the vault is open) the changes that are pending approval
 * (rule: confirmed-binding).
 */
export function configCheck(of: {
  file: string;
  read(): Promise<{ problems: readonly ConfigProblem[]; config: LoadedConfig | null }>;
  /** Null: unknown now. */
  held(): readonly { what: string; name: string }[] | null;
}): Check {
  return {
    group: 'broker',
    name: 'config',
    subject: null,
    run: async () => {
      const { problems, config } = await of.read();
      const { shown, more } = firstOf(problems, problemLimit);
      const found: Observed[] = shown.map(observeProblem);
      if (more > 0) {
        found.push(observe('config').warning(`${of.file} has ${more} more errors and warnings`));
      }
      const held = of.held() ?? [];
      if (held.length > 0) {
        const names = held.map(({ what, name }) => `${what} ${name}`);
        found.push(
          observe('config.held').warning(
            `pending approval in config.yaml: ${listed(names)}`,
            'lanyard confirm',
          ),
        );
      }
      if (found.length === 0 && config !== null) {
        const { accounts, clusters, registries, inventories } = config;
        const counts = [
          counted(accounts.size, 'account'),
          counted(clusters.size, 'cluster'),
          counted(registries.size, 'registry'),
          counted(inventories.size, 'inventory'),
        ];
        found.push(observe('config').ok(`${of.file}: ${counts.join(', ')}`));
      }
      return found;
    },
  };
}

function observeProblem({ severity, file, line, column, message }: ConfigProblem): Observed {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const text = `${place}: ${visibleText(message, 300)}`;
  const found = observe('config');
  return severity === 'error' ? found.problem(text, `edit ${file}`) : found.warning(text);
}
