import type { Secret } from '../../base/secret.ts';
import { sentence } from '../../contract/ui/sentence.ts';
import type { GivenText } from '../../domain/import/given-text.ts';
import { parseKubeconfig } from '../read/parse-kubeconfig.ts';

/** Why `text` is no kubeconfig that can be imported, in a sentence; null: it is one. `parts`: see `parseYamlTree`. */
export function givenFault(text: Secret, name: GivenText['name'], parts: number): string | null {
  if (text.reveal().trim() === '') {
    return 'Paste a kubeconfig first.';
  }
  const { kubeconfig, problems } = parseKubeconfig(text.reveal(), name, parts);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error) {
    return sentence(error.line === null ? error.message : `line ${error.line}: ${error.message}`);
  }
  return kubeconfig?.contexts.size ? null : 'It has no contexts, so there is nothing to import.';
}
